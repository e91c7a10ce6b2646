import HTTPSemantics
import Testing
import VirtualOrigin

@testable import HTTPCache

/// A `SharedBody` beside the plain bytes, in random orders of arriving, reading and leaving.
@Suite struct SharedBodyModelTests {
    private let clock = VirtualClock(seconds: 0)
    /// The bytes of every body, from its first byte on.
    private static let pattern: [UInt8] = {
        var random = SeededGenerator(seed: 0)
        return (0..<60_000).flatMap { _ in withUnsafeBytes(of: random.next()) { Array($0) } }
    }()

    @Test("every reader gets each byte once and in order, whoever reads, leaves or comes meanwhile", arguments: 0..<30)
    func readers(seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let executor = SteppedExecutor()
        let deadlines = Deadlines(clock: clock, executor: executor)
        let limit: Int? = seed % 3 == 0 ? nil : Int.random(in: 0...100_000, using: &random)
        let body = SharedBody(keepingUpTo: limit, isAwaitedWhole: seed % 2 == 0, clock: clock)
        var count = 0
        var readers: [Int: Reader] = [:]
        let firstNumber = try #require(body.attach(isFirst: true))
        readers[firstNumber] = Reader()
        for _ in 0..<40 {
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let added = Array(Self.pattern[count..<count + Int.random(in: 1...12_000, using: &random)])
                let bytes = BodyBytes()
                added.withUnsafeBytes(bytes.append)
                _ = Bool.random(using: &random) ? body.append(bytes) : added.withUnsafeBytes(body.append)
                count += added.count
                body.flush()
                executor.drain()
            case 2, 3:
                let waiting = readers.keys.sorted().filter { readers[$0]?.reading == nil }
                guard let number = waiting.randomElement(using: &random) else { continue }
                readers[number]?.begin(executor, body, number, deadlines)
            case 4:
                guard let number = body.attach(isFirst: false) else { continue }
                #expect(limit.map { count <= $0 } == true, "only a body that is kept may be joined")
                readers[number] = Reader()
            default:
                let others = readers.keys.sorted().filter { $0 != firstNumber && readers[$0]?.reading == nil }
                guard let number = others.randomElement(using: &random) else { continue }
                body.detach(number)
                readers[number] = nil
            }
            for number in readers.keys { try readers[number]?.take(Self.pattern, count) }
        }
        let isShort = limit.map { count <= $0 } == true
        #expect(body.kept.map { [UInt8]($0) } == (isShort ? Array(Self.pattern[..<count]) : nil))
        body.finish(.end)
        for number in readers.keys {
            for _ in 0..<50 where readers[number]?.isAtEnd == false {
                if readers[number]?.reading == nil { readers[number]?.begin(executor, body, number, deadlines) }
                executor.drain()
                try readers[number]?.take(Self.pattern, count)
            }
            #expect(readers[number]?.place == count && readers[number]?.isAtEnd == true)
        }
    }

    /// A reader as the model has it.
    private struct Reader {
        var place = 0
        var isAtEnd = false
        var reading: Started<SharedBody.Part>?

        mutating func begin(_ executor: SteppedExecutor, _ body: SharedBody, _ number: Int, _ deadlines: Deadlines) {
            let event = AutoResetEvent()
            reading = executor.start {
                await body.next(for: number, isWhole: false, event, deadlines, timeout: nil)
            }
            executor.drain()
        }

        /// Compares what has come with the bytes that were added.
        mutating func take(_ pattern: [UInt8], _ count: Int) throws {
            guard let part = reading?.value else { return }
            reading = nil
            switch part {
            case .bytes(let bytes):
                let read = [UInt8](bytes)
                #expect(!read.isEmpty && read.elementsEqual(pattern[place..<min(place + read.count, count)]))
                place += read.count
            case .end:
                #expect(place == count)
                isAtEnd = true
            case .failed(let error): throw error
            }
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood 2014).
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
