/// The options of `compare --self-test`.
struct CompareSelfTestOptions {
    static let options: [any AnyOption] = [flag, tries, log]

    static let flag = CommandOption.flag(
        "self-test", help: "tests the comparison itself, with this executable on both sides and planted work on one")
    static let tries = CommandOption.whole(
        "tries", in: 1...10_000,
        help: "with --self-test: tries of each kind with planted work, and twice as many without; "
            + "\(CompareSelfTest.usual) by default")

    static let log = CommandOption.text(
        "log", "FILE",
        help: "with --self-test: the file of its tries, which it continues; compare-self-test.log by default")

    static let note: HelpNote = """
        A self-test plants 1 % of extra work in tries of ten seconds and 2 % in tries of one second, on either side, and
        no work in further tries of both lengths. It prints each try, and a table in Markdown, which it also writes
        beside the log; with ten tries it takes six minutes for each benchmark. The log is continued by a call with the
        same options, whatever its number of tries.
        """

    let tries: Int
    let log: String

    init(_ arguments: ParsedArguments) {
        tries = arguments[Self.tries] ?? CompareSelfTest.usual
        log = arguments[Self.log] ?? "compare-self-test.log"
    }

    func run(
        _ benchmarks: [Benchmark], delta: Double, settings: RunSettings, directory: String?, console: Console
    ) throws -> ExitCode {
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let selfTest = CompareSelfTest(
            benchmarks: benchmarks.map(\.name.description), tries: tries, delta: delta,
            experiment: Experiment(settings: settings, directory: temporary, interruption: try Interruption()))
        return try selfTest.run(log: try LineLog(log), console: console)
    }
}
