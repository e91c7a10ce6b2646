import Foundation
import TestSupport
import Testing

@testable import GaugeMeasurement
@testable import GaugeSupport

@Suite("Callgrind counts") struct CallgrindTests {
    /// Modelled on the manual's example: two functions, one of which calls the other, recursion, and relative
    /// positions.
    private static let profile = """
        # callgrind format
        version: 1
        creator: callgrind-3.19.0
        positions: line
        events: Ir

        ob=(1) /bin/x
        fl=(1) file1.c
        fn=(1) main
        16 20
        cfn=(2) func1
        calls=1 50
        16 400
        +3 7
        cfi=(2) file2.c
        cfn=(3) walk'2
        calls=3 20
        * 400

        fn=(2)
        51 100
        fn=(3)
        20 700
        fn=(4) walk
        20 300

        totals: 1127
        """

    @Test("a function has its own instructions, without those of the functions that it calls") func functions() throws {
        let profile = try CallgrindProfile(Self.profile)
        #expect(profile.functions == ["main": 27, "func1": 100, "walk": 1_000])
        #expect(profile.total == 1_127)
    }

    @Test("a number that no name was given for stands for itself, and so does a name without a number")
    func unknownNumbers() throws {
        let profile = try CallgrindProfile("events: Ir\nfn=(9)\n1 2\nfn=plain\n3 4\n-1 5\n* 6\n")
        #expect(profile.functions == ["(9)": 2, "plain": 15] && profile.total == 17)
    }

    @Test("a profile that is missing, of other events or without events is refused in words") func refused() throws {
        let path = "/nowhere/profile"
        #expect(throws: GaugeError("valgrind has written no \(path); its instructions are not counted")) {
            try CallgrindDumps(ofFile: path)
        }
        #expect(throws: GaugeError("callgrind has counted Dr Ir, and not instructions")) {
            try CallgrindProfile("events: Dr Ir\n")
        }
        #expect(throws: GaugeError("valgrind has written no profile; see its output")) {
            try CallgrindProfile("fn=a\n1 2")
        }
    }

    @Test("system calls are counted where they are, without those that read the clock and those of callees")
    func systemCalls() throws {
        let profile = try CallgrindProfile(
            """
            events: Ir sysCount sysTime
            fn=(1) main
            16 20 1 300
            cfn=(2) write
            calls=1 50
            16 400 7 9
            +3 7
            fn=(2)
            51 100 2
            fn=(3) clock_gettime@@GLIBC_2.17
            20 700 9 1
            """)
        #expect(profile.systemCalls == 3)
        #expect(profile.total == 827)
        #expect(try CallgrindProfile("events: Ir\nfn=(1) a\n1 2 3\n").systemCalls == nil)
        let once = try CallgrindProfile("events: Ir sysCount\nfn=(1) mmap\n1 10 1\n")
        let twice = try CallgrindProfile("events: Ir sysCount\nfn=(1) mmap\n1 20\n")
        #expect(InstructionCount(once: once, twice: twice, operations: 10).systemCalls == 0)
        #expect(InstructionCount(once: twice, twice: once, operations: 10).systemCalls == 0.1)
    }

    @Test(
        "what is not a profile of instructions is refused",
        arguments: ["", "hello", "events: Cycles Ir\nfn=(1) a\n1 2\n"])
    func malformed(text: String) { #expect(throws: GaugeError.self) { try CallgrindProfile(text) } }

    /// As callgrind writes them: the header once, names where they first occur, costs of 0 at the end left out.
    private static let dumps = """
        # callgrind format
        part: 1
        events: Ir sysCount
        fn=(1) main
        1 10 2
        cfn=(2) work
        calls=1 1
        2 30
        fn=(2)
        1 30
        totals: 40 2

        part: 2
        fn=(2)
        1 70
        fn=(3) late
        2 5
        totals: 75

        part: 3
        fn=(3)
        1 2 1
        """

    @Test("the dumps of a process have their own sums, and names from the ones before") func dumps() throws {
        let dumps = CallgrindDumps(Array(Self.dumps.utf8))
        #expect(try dumps.totals(1) == (40, 2) && dumps.totals(2) == (75, 0))
        #expect(try dumps.profile(1).functions == ["main": 10, "work": 30])
        #expect(try dumps.profile(2).functions == ["work": 70, "late": 5])
        #expect(try dumps.profile(2).systemCalls == 0)
        #expect(try dumps.profile(3).functions == ["late": 2])
        #expect(throws: GaugeError("dump 3 of callgrind is not whole; its instructions are not counted")) {
            try dumps.totals(3)
        }
        for number in [0, 4] {
            #expect(throws: GaugeError("valgrind has written 3 dumps and not \(number); see its output")) {
                try dumps.profile(number)
            }
        }
    }

    @Test("a file of dumps that is cut anywhere gives what is whole, or an error") func cutDumps() throws {
        let bytes = Array(Self.dumps.utf8)
        let whole = CallgrindDumps(bytes)
        for count in 0..<bytes.count {
            let cut = CallgrindDumps(Array(bytes[..<count]))
            guard let totals = try? cut.totals(1) else { continue }
            #expect(try totals == whole.totals(1), "\(count)")
        }
        #expect(throws: GaugeError.self) { try CallgrindDumps([]).totals(1) }
        #expect(throws: GaugeError.self) { try CallgrindDumps(Array("part: 1\ntotals: many\n".utf8)).totals(1) }
    }

    /// Of the planted mix of hits and misses each operation costs nearly the same.
    @Test("the operations of a sequence are counted one by one", .enabled(if: isInstalled))
    func sequence() throws {
        let scratch = try TemporaryDirectory(in: nil)
        defer { scratch.remove() }
        let counts = try InstructionCounter(
            executable: RunningChild.path(of: "PlantedGauge"), directory: scratch
        ).counts("planted/timed/tiered", settings: RunSettings(), sequence: 64, isOnDemand: true, timeOut: 120)
        let each = try #require(counts.each)
        #expect(each.instructions.worst >= each.instructions.worstPercent)
        #expect(abs(each.instructions.worst / counts.whole.perOperation - 1) < 0.5, "\(each.instructions)")
        #expect(each.functions.contains { $0.name.contains("spin") })
    }

    @Test("the instructions of an operation are what twice as many add") func difference() throws {
        func profile(_ start: Int, _ work: Int, _ once: Int) throws -> CallgrindProfile {
            try CallgrindProfile(
                "events: Ir\nfn=(1) start\n1 \(start)\nfn=(2) work\n1 \(work)\nfn=(3) set-up\n1 \(once)\n")
        }
        let count = InstructionCount(
            once: try profile(500, 4_000, 77), twice: try profile(700, 8_000, 77), operations: 100)
        #expect(count.perOperation == 42)
        #expect(count.functions.map(\.name) == ["work", "start"])
        #expect(count.functions.map(\.perOperation) == [40, 2])
    }

    /// Three sections, with their names at 1, 5 and 17 of a table of names after the header.
    private static let executable: Data = {
        func number(_ value: Int, _ size: Int) -> [UInt8] {
            (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let names = Array("\0.go\0.debug_info\0.debug\0rest".utf8)
        let sections = [1, 5, 17].map {
            number($0, 4) + [UInt8](repeating: 0, count: 20) + number(64, 8) + [UInt8](repeating: 0, count: 32)
        }
        let table = 64 + names.count
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 34) + number(table, 8)
        header += [UInt8](repeating: 0, count: 10) + number(64, 2) + number(3, 2) + number(2, 2)
        return Data(header + names + sections.joined())
    }()

    @Test("debug sections are renamed, and nothing else of an executable changes") func sections() throws {
        #expect(Self.executable[64..<92].elementsEqual(Array("\0.go\0.debug_info\0.debug\0rest".utf8)))
        let hidden = HiddenDebugSections.hidden(Self.executable)
        #expect(hidden.count == Self.executable.count)
        #expect(hidden[64..<92].elementsEqual(Array("\0.go\0.xebug_info\0.debug\0rest".utf8)))
        #expect(hidden[..<64] == Self.executable[..<64] && hidden[92...] == Self.executable[92...])
    }

    /// A header whose table of two sections follows, the second with the names; then come the names.
    private static func elf(names: [UInt8], _ edit: (inout [UInt8]) -> Void = { _ in }) -> [UInt8] {
        var bytes: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 186)
        (bytes[40], bytes[58], bytes[60], bytes[62]) = (64, 64, 2, 1)
        (bytes[64], bytes[128], bytes[128 + 24]) = (0, 7, 192)
        edit(&bytes)
        return bytes + names
    }

    @Test("a name of exactly the prefix is hidden, and what lies beyond the end of the file is left") func edges() {
        func hidden(_ bytes: [UInt8]) -> [UInt8] { Array(HiddenDebugSections.hidden(Data(bytes))) }
        let (short, whole) = (Array(".debug_".utf8), Array(".debug_.debug_".utf8))
        let (one, both) = (Array(".xebug_".utf8), Array(".xebug_.xebug_".utf8))
        #expect(hidden(Self.elf(names: short)) == Self.elf(names: one), "the second name begins at the end")
        #expect(hidden(Self.elf(names: whole)) == Self.elf(names: both))
        #expect(hidden(Self.elf(names: whole.dropLast())) == Self.elf(names: one + Array(".debug".utf8)))
        // A third section would lie in the names and beyond the file.
        let three = Self.elf(names: short) { $0[60] = 3 }
        #expect(hidden(three) == three || hidden(three) == Self.elf(names: one) { $0[60] = 3 })
        let cut = Self.elf(names: []) { $0[60] = 3 }
        #expect(hidden(cut) == cut)
        // The table of names itself lies beyond the end.
        let far = Self.elf(names: whole) { ($0[152], $0[153]) = (255, 255) }
        #expect(hidden(far) == far)
        let table = Self.elf(names: whole) { $0[62] = 9 }
        #expect(hidden(table) == table)
    }

    @Test("whatever is not such an executable stays as it is, however it is cut") func hostileExecutables() {
        var random = Xoshiro256(seed: 5)
        var header: [UInt8] = [0x7F, 0x45, 0x4C, 0x46, 2, 1] + [UInt8](repeating: 0, count: 194)
        for _ in 0..<2_000 {
            for index in 6..<header.count { header[index] = UInt8(truncatingIfNeeded: random.next() & random.next()) }
            let count = Int(random.next(below: UInt64(header.count)))
            #expect(HiddenDebugSections.hidden(Data(header[..<count])).count == count)
        }
    }

    private static let isInstalled = (try? Valgrind()) != nil

    /// The planted benchmark spins about three instructions for each operation, in a loop that no compiler removes.
    @Test("two counts of one benchmark agree to one in a million", .enabled(if: isInstalled))
    func repeats() throws {
        let scratch = try TemporaryDirectory(in: nil)
        defer { scratch.remove() }
        let executable = RunningChild.path(of: "PlantedGauge")
        let counts = try (0..<2).map { _ in
            let own = try TemporaryDirectory(in: scratch.path)
            return try InstructionCounter(executable: executable, directory: own).count(
                "planted/timed/tiered", settings: RunSettings())
        }
        #expect(counts[0].perOperation > 20)
        #expect(abs(counts[0].perOperation / counts[1].perOperation - 1) <= 1e-6, "\(counts.map(\.perOperation))")
        #expect(counts[0].functions.contains { $0.name.contains("spin") }, "\(counts[0].functions.prefix(5))")
    }

    @Test("what the first operations cost beside the work is in no count", .enabled(if: isInstalled))
    func firstOperations() throws {
        let scratch = try TemporaryDirectory(in: nil)
        defer { scratch.remove() }
        let counts = try [20, 1_000].map { operations in
            let own = try TemporaryDirectory(in: scratch.path)
            let executable = RunningChild.path(of: "PlantedGauge")
            return try InstructionCounter(executable: executable, directory: own).count(
                "planted/timed/tiered", settings: RunSettings(), operations: operations
            ).perOperation
        }
        #expect(abs(counts[0] / counts[1] - 1) <= 0.03, "\(counts)")
    }

    @Test("without valgrind the row has no instructions, and the reason is told") func absent() throws {
        let run = try ChildRun(
            "PlantedGauge",
            ["run", "--verbose", "--suite=full", "--filter=^planted/figures/", "--seconds=0.2", "--instructions"],
            environment: ["PATH": "/nowhere"])
        #expect(run.status == 0)
        #expect(run.errors.contains("valgrind, which is not installed; install it"), "\(run.errors)")
        let row = run.output.split(separator: "\n").first { $0.hasPrefix("planted/figures/tiered ") } ?? ""
        #expect(row.split(separator: " ").suffix(2).first == "–", "\(row)")
    }
}
