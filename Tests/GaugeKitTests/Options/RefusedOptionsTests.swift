import Testing

@testable import GaugeKit

/// Options that exclude or need each other, and values with a special form.
@Suite("Refused options") struct RefusedOptionsTests {
    private static let commands = Dictionary(uniqueKeysWithValues: Gauge.commands.map { ($0.specification.name, $0) })

    @Test(
        "options that do not go together are refused before anything is done, with the remedy",
        arguments: [
            ("run", ["--rate=5"], "--rate goes with a workload; name one with --workload"),
            ("run", ["--log=x"], "--log is for --self-test; add --self-test 20"),
            ("run", ["--busy=1"], "--busy is for --self-test; add --self-test 20"),
            ("run", ["--self-test=2", "--json=x"], "leave --json out"),
            // A file that could not be written is not looked at.
            ("run", ["--self-test=2", "--json=/nonexistent/x"], "leave --json out"),
            ("run", ["--self-test=2", "--instructions"], "leave --instructions out"),
            ("run", ["--precision=0.05%"], "'0.05%' is not from 0.1% to 100.0%"),
            ("run", ["--precision=x"], "'x' is not from"),
            ("compare", ["--log=x", "a", "b"], "--log is for --self-test; add --self-test"),
            ("compare", ["--tries=3", "a.json", "b.json"], "--tries is for --self-test; add --self-test"),
            ("compare", ["", "b"], "a side of the comparison is empty"),
            ("gate", ["--base=main", "--counts", "--times"], "--counts and --times exclude each other"),
            ("gate", ["--base=main", "--times", "--require=misses"], "--require misses needs counts"),
            (
                "gate", ["--base=main", "--base-executable=x"],
                "--base and --base-executable both name what to compare with; leave one out"
            ),
            ("gate", ["--base=main", "--counts", "--delta=3"], "only counts; leave out --delta"),
            ("gate", ["--base-executable=x", "--seconds=9"], "only counts; leave out --seconds"),
            ("gate", ["--base-executable=x", "--product=p"], "without building; leave out --product"),
            ("gate", ["--base-executable=x", "--build-options=-x"], "without building; leave out --build-options"),
            ("gate", ["--base=main", "--rounds=3"], "only of a --self-test; leave out --rounds"),
            ("gate", ["--base=main", "--log=x"], "only of a --self-test; leave out --log"),
            ("gate", ["--self-test", "--strict"], "no change; leave out --strict"),
            ("gate", ["--self-test", "--format=json"], "no change; leave out --format"),
            ("gate", ["--self-test", "--require=misses"], "no change; leave out --require"),
            ("gate", ["--self-test", "--counts"], "no change; leave out --counts"),
            ("gate", ["--base=main", "--require="], "--require names no metric"),
            ("baseline", ["check", "a", "--require=,"], "--require names no metric"),
            ("baseline", ["update", "a"], "baseline update needs --reason TEXT"),
            ("baseline", ["compare", "a", "b", "c"], "baseline compare takes one name or two"),
            ("baseline", [], "baseline needs update|read|list"),
            ("replay", ["--speedup=2", "x"], "--speedup needs --times trace"),
            ("replay", ["--times=trace", "--rate=5", "x"], "both tell when requests are due"),
            ("replay", ["--strict", "--skip-damaged", "x"], "--strict stops at what --skip-damaged would skip"),
            ("mrc", ["--merge", "x"], "--merge joins several results"),
            ("mrc", ["--merge", "--policy=fifo", "x", "y"], "simulates nothing; leave out --policy"),
            ("mrc", ["--merge", "--seed=2", "x", "y"], "simulates nothing; leave out --seed"),
            ("baseline", ["compare", "a", "b", "--memory=1MiB"], "without counting; leave out --memory"),
            ("mrc", ["--policy=lru,lru", "x"], "a policy is named twice"),
            ("mrc", ["--policy=lri", "x"], "'lri' is unknown; did you mean lru?"),
            ("mrc", ["--policy=belady", "--sample=0.5", "x"], "a policy that knows the future needs the whole trace"),
            ("mrc", ["--by=entries", "--sizes=constant,bytes=1", "x"], "leave out --sizes"),
            ("mrc", ["--shard=9/8", "x"], "'9/8' is not like 3/8"), ("mrc", ["--shard=0/8", "x"], "is not like 3/8"),
            ("mrc", ["--shard=1", "x"], "is not like 3/8"), ("mrc", ["--shard=1/100001", "x"], "is not like 3/8"),
            (
                "mrc", ["--capacities=" + (1...65).map(String.init).joined(separator: ","), "x"],
                "65 capacities are more than 64"
            ),
        ])
    func refused(command: String, arguments: [String], told: String) throws {
        let command = try #require(Self.commands[command])
        #expect {
            _ = try command.init(try ParsedArguments(arguments, of: command.specification))
        } throws: { error in
            "\(error)".contains(told)
        }
    }

    @Test("the ends of a list, a shard and a share are taken") func taken() throws {
        let mrc = try #require(Self.commands["mrc"])
        for options in [
            ["--shard=8/8"], ["--shard=100000/100000"],
            ["--capacities=" + (1...64).map(String.init).joined(separator: ",")],
            ["--policy=all"], ["--policy=lru, arc"],
        ] {
            #expect(throws: Never.self, "\(options)") {
                _ = try mrc.init(try ParsedArguments(options + ["x"], of: mrc.specification))
            }
        }
        let run = try #require(Self.commands["run"])
        let precise = try ParsedArguments(["--precision", "0.5%"], of: run.specification)
        #expect(precise[RunCommand.precision] == 0.005)
    }
}
