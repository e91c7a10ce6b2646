import GaugeTraces
import HTTPAgreement
import Testing

@testable import cachefuzz

/// The mutators of messages and documents, on the inputs of the packs.
@Suite("Mutation of messages and documents") struct StructuredMutationTests {
    @Test("an input is within the limit, and the same seed makes the same bytes", arguments: MutatedTarget.all)
    func limitAndSeed(target: MutatedTarget) throws {
        let mutation = try target.mutation
        let inputs = try Corpus.pack(at: Cachefuzz.pack(of: target.name)).inputs.map(\.bytes) + [[], [0xFF]]
        var outputs: Set<[UInt8]> = []
        for seed in 0..<150 as Range<UInt32> {
            let one = inputs[Int(seed) % inputs.count]
            let other = inputs[Int(seed) * 7 % inputs.count]
            let limit = [4, 64, target.longest][Int(seed) % 3]
            let changed = Self.change(one, mutation, seed: seed, limit: limit)
            #expect(changed == Self.change(one, mutation, seed: seed, limit: limit), "seed \(seed)")
            let joined = try Self.join(one, other, mutation, seed: seed, limit: limit)
            #expect(try joined == Self.join(one, other, mutation, seed: seed, limit: limit), "seed \(seed)")
            if limit == target.longest { outputs.formUnion([changed, joined]) }
        }
        #expect(outputs.count > 45, "mutations are various")
    }

    @Test(
        "many inputs are still whole after four mutations, unlike after changes of single bytes",
        arguments: MutatedTarget.all)
    func share(target: MutatedTarget) throws {
        let mutation = try target.mutation
        let inputs = try Corpus.pack(at: Cachefuzz.pack(of: target.name)).inputs.map(\.bytes)
        var maker = InputMaker(seed: 1)
        var (structured, bytewise) = (0, 0)
        let count = 200
        for seed in 0..<UInt32(count) {
            var input = inputs[Int(seed) % inputs.count]
            var other = input
            for step in 0..<4 as Range<UInt32> {
                input = Self.change(input, mutation, seed: seed &* 4 &+ step, limit: target.longest)
                maker.mutate(&other)
            }
            if target.isWellFormed(input) { structured += 1 }
            if target.isWellFormed(other) { bytewise += 1 }
        }
        let shares = "\(target.name): \(structured) of \(count), by single bytes \(bytewise)"
        #expect(structured * 100 >= target.leastShare * count, "\(shares)")
        #expect(structured > bytewise, "\(shares)")
    }

    @Test("two inputs are joined to one with parts of both") func joins() throws {
        let one = Array("GET 0 200 0 0 5 /one\nA: 1\n\nB: 1".utf8)
        let other = Array("PUT 1 404 1 2 3 /two\nA: 2\n\nB: 2".utf8)
        var joined: Set<String> = []
        for seed in 0..<100 as Range<UInt32> {
            var mutation = ExchangeMutation(seed: seed)
            joined.insert(String(decoding: mutation.join(one, other, limit: 512), as: UTF8.self))
        }
        #expect(joined.contains("GET 0 200 0 0 5 /one\nA: 1\n\nB: 2"))
        #expect(joined.contains("GET 0 200 0 0 5 /one\nA: 2\n\nB: 1"))
        #expect(joined.contains("PUT 0 200 0 0 5 /one\nA: 1\nA: 2\n\nB: 1\nB: 2"))
    }

    @Test("a phrase of operations goes in as a whole") func phrases() {
        var found = false
        for seed in 0..<200 as Range<UInt32> {
            var mutation = RecordMutation(width: 3, seed: seed, phrases: [[11, 0, 6, 6]])
            let changed = mutation.change([9, 9, 9], limit: 300)
            #expect(changed.count % 3 == 0)
            let kinds = stride(from: 0, to: changed.count, by: 3).map { changed[$0] }
            found = found || kinds == [11, 0, 6, 6, 9] || kinds == [9, 11, 0, 6, 6]
        }
        #expect(found)
    }

    private static func change(_ input: [UInt8], _ mutation: InputMutation, seed: UInt32, limit: Int) -> [UInt8] {
        let kept = Array(input.prefix(limit))
        var buffer = kept + [UInt8](repeating: 0xAA, count: limit - kept.count)
        let count = buffer.withUnsafeMutableBytes { mutation.change($0, kept.count, seed) }
        #expect(count <= limit)
        return Array(buffer.prefix(count))
    }

    private static func join(
        _ one: [UInt8], _ other: [UInt8], _ mutation: InputMutation, seed: UInt32, limit: Int
    ) throws -> [UInt8] {
        let join = try #require(mutation.join)
        var buffer = [UInt8](repeating: 0xAA, count: limit)
        let count = one.withUnsafeBytes { one in
            other.withUnsafeBytes { other in buffer.withUnsafeMutableBytes { join(one, other, $0, seed) } }
        }
        #expect(count <= limit)
        return Array(buffer.prefix(count))
    }
}

/// A target whose inputs have a structure, and what an input of it has to say.
struct MutatedTarget: CustomTestStringConvertible, Sendable {
    let name: String
    /// As in `Fuzz/Commands/options.sh`.
    let longest: Int
    /// Of a hundred inputs so many at least are well-formed after four mutations.
    let leastShare: Int
    let isWellFormed: @Sendable ([UInt8]) -> Bool

    var testDescription: String { name }

    var mutation: InputMutation {
        get throws { try #require(FuzzTarget.named(name)?.mutation) }
    }

    static let all = [
        MutatedTarget(name: "freshness", longest: 512, leastShare: 65, isWellFormed: isExchange),
        MutatedTarget(name: "reuse", longest: 512, leastShare: 65, isWellFormed: isExchange),
        MutatedTarget(name: "engine", longest: 4096, leastShare: 90) { bytes in
            let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
            let isScript = lines.allSatisfy { line in "<>)]!?+x~".contains(line.first ?? " ") || line.contains(":") }
            let kinds = Set(lines.map(\.first))
            return isScript && kinds.contains("<") && !kinds.isDisjoint(with: [">", ")", "]"])
        },
        MutatedTarget(name: "transport", longest: 512, leastShare: 40) { bytes in
            guard case .answer = AnswerModel(Array(bytes.dropFirst()), isHead: false) else { return false }
            return true
        },
        MutatedTarget(name: "application", longest: 192, leastShare: 100) { !$0.isEmpty && $0.count % 3 == 0 },
        MutatedTarget(name: "har", longest: 640, leastShare: 40) { bytes in
            guard let tree = ArchiveDocuments.tree(bytes), let entries = HARModel.entries(of: tree) else {
                return false
            }
            return entries.contains { HARModel.request(of: $0) != nil }
        },
        MutatedTarget(name: "workload_json", longest: 640, leastShare: 33) { (try? WorkloadPlan(json: $0)) != nil },
    ]

    /// All words of the first line, then lines with a name and a colon, of which the response has at least one.
    private static func isExchange(_ bytes: [UInt8]) -> Bool {
        let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let head = lines.first, head.split(separator: 0x20).count == 7,
            let status = Int(String(decoding: head.split(separator: 0x20)[2], as: UTF8.self)), 0...999 ~= status,
            let blank = lines.firstIndex(where: \.isEmpty)
        else { return false }
        let fields = lines[1..<blank] + lines[(blank + 1)...]
        return blank + 1 < lines.count
            && fields.allSatisfy { ($0.firstIndex(of: 0x3A) ?? $0.startIndex) > $0.startIndex }
    }
}
