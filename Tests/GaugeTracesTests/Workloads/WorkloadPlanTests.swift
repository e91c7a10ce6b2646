import Testing

@testable import GaugeSupport
@testable import GaugeTraces

@Suite("Workload plans") struct WorkloadPlanTests {
    private func plan(_ json: String) throws -> WorkloadPlan { try WorkloadPlan(json: Array(json.utf8)) }

    @Test("an empty file is Zipf 0.8 over 10,000 web-like objects") func empty() throws {
        #expect(try plan("{}") == WorkloadPlan())
        #expect(Workload(try plan("{}"), seed: 7) == .webLike(seed: 7))
    }

    /// The values of `WORKLOADS.md`.
    @Test("members that are missing have the values of the manual") func defaults() throws {
        let plan = WorkloadPlan()
        #expect(plan.name == "custom" && plan.models == "" && plan.objects == 10_000 && plan.duplicates == 0)
        #expect(
            plan.keys == .zipf(exponent: 0.8)
                && plan.sizes == .lognormal(mu: 9.357, sigma: 1.318, minimum: 64, maximum: 1 << 20))
        #expect(plan.headers == [HeaderClass(maxAge: 86_400, etag: true)])
        #expect(plan.operations == OperationMix(read: 1, store: 0, remove: 0))
        #expect(plan.revisit == .exponential(seconds: 30))
        for (kind, keys) in [
            ("zipf", .zipf(exponent: 0.8)), ("hotspot", .hotspot(fraction: 0.05, share: 0.9, every: 1_000, step: 0.1)),
            ("pages", .pages(PagePattern(pages: 300, fewest: 60, most: 100, shared: 0.4, exponent: 0.8))),
        ] as [(String, KeyPattern)] {
            #expect(try self.plan(#"{"keys": {"kind": "\#(kind)"}}"#).keys == keys)
        }
        #expect(try self.plan(#"{"sizes": {"kind": "lognormal"}}"#).sizes == plan.sizes)
        #expect(try self.plan(#"{"headers": [{}]}"#).headers == [HeaderClass(weight: 1, variants: 1)])
    }

    @Test("the name of a field has letters, digits and hyphens, and that of a workload no capitals") func names() {
        let letters = (0x20...0x7E).map { String(UnicodeScalar(UInt8($0))) }
        func read(_ json: (String) -> String) -> String {
            letters.filter { (try? plan(json($0 == "\\" || $0 == "\"" ? "\\" + $0 : $0))) != nil }.joined()
        }
        let (small, digits) = ("abcdefghijklmnopqrstuvwxyz", "-0123456789")
        #expect(read { #"{"headers": [{"vary": "a\#($0)"}]}"# } == digits + small.uppercased() + small)
        #expect(read { #"{"name": "a\#($0)"}"# } == digits + small)
    }

    @Test("every preset, written and read again, is equal", arguments: WorkloadPlan.presets)
    func roundTrip(preset: WorkloadPlan) throws { #expect(try plan(preset.json) == preset) }

    @Test("preset names are unique and every preset says what it models") func presetNames() {
        #expect(Set(WorkloadPlan.presets.map(\.name)).count == WorkloadPlan.presets.count)
        for preset in WorkloadPlan.presets { #expect(preset.models.count > 20, "\(preset.name)") }
    }

    @Test("every member of a file is taken") func wholeFile() throws {
        let read = try plan(
            """
            {"name": "shop-1", "models": "x", "objects": 5,
             "keys": {"kind": "mixture", "parts": [
               {"weight": 2, "run": 3, "keys": {"kind": "pages", "pages": 4, "fewest": 1, "most": 2, "shared": 0, "exponent": 1}},
               {"keys": {"kind": "hotspot", "fraction": 0.5, "share": 0.25, "every": 7, "step": 1}}]},
             "sizes": {"kind": "histogram", "bins": [{"from": 1, "to": 2, "weight": 3}]},
             "headers": [{"weight": 2, "max_age": 1, "stale_while_revalidate": 2, "no_store": true, "no_cache": true,
               "must_revalidate": true, "immutable": true, "etag": true, "last_modified": 3, "vary": "Accept",
               "variants": 4, "changes_every": 5}],
             "operations": {"read": 1, "store": 2, "remove": 3},
             "revisit": {"kind": "constant", "seconds": 0.5}, "duplicates": 0.125}
            """)
        var expected = WorkloadPlan()
        expected.name = "shop-1"
        expected.models = "x"
        expected.objects = 5
        expected.keys = .mixture([
            MixturePart(
                weight: 2, run: 3, keys: .pages(PagePattern(pages: 4, fewest: 1, most: 2, shared: 0, exponent: 1))),
            MixturePart(weight: 1, run: 1, keys: .hotspot(fraction: 0.5, share: 0.25, every: 7, step: 1)),
        ])
        expected.sizes = .histogram([SizeBin(from: 1, to: 2, weight: 3)])
        expected.headers = [
            HeaderClass(
                weight: 2, maxAge: 1, staleWhileRevalidate: 2, noStore: true, noCache: true, mustRevalidate: true,
                immutable: true, etag: true, lastModified: 3, vary: "Accept", variants: 4, changesEvery: 5)
        ]
        expected.operations = OperationMix(read: 1, store: 2, remove: 3)
        expected.revisit = .constant(seconds: 0.5)
        expected.duplicates = 0.125
        #expect(read == expected)
        #expect(try plan(read.json) == read)
    }

    @Test(
        "what a file may not say is named with its place, and a misspelt member with the nearest",
        arguments: [
            ("[]", "the workload is a list; write an object"),
            ("{\n  \"objcets\": 5}", "line 2, column 14: the workload has no 'objcets'; did you mean objects?"),
            (#"{"keys": {"kind": "zpif"}}"#, "keys.kind: 'zpif' is unknown; did you mean zipf?"),
            (#"{"keys": {}}"#, "keys lacks 'kind'"),
            (#"{"keys": {"kind": "uniform", "exponent": 1}}"#, "keys has no 'exponent'"),
            (#"{"keys": {"kind": "mixture", "parts": [{"keys": {"kind": "mixture", "parts": []}}]}}"#, "'mixture'"),
            (#"{"keys": {"kind": "mixture", "parts": []}}"#, "a list of 1 to 16 members"),
            (#"{"keys": {"kind": "pages", "fewest": 9, "most": 8}}"#, "keys.fewest is more than keys.most"),
            (#"{"objects": 0}"#, "the workload.objects is 0; it takes a whole number from 1 to 1000000"),
            (#"{"objects": 1.5}"#, "is 1.5; it takes a whole number"),
            (#"{"objects": 1e300}"#, "it takes a whole number"),
            (#"{"objects": "5"}"#, "the workload.objects is a text"),
            (#"{"sizes": {"kind": "constant"}}"#, "sizes lacks 'bytes'"),
            (#"{"sizes": {"kind": "constant", "bytes": 67108865}}"#, "0 to 67108864"),
            (#"{"sizes": {"kind": "histogram", "bins": [{"from": 2, "to": 1}]}}"#, "from is more than .to"),
            (#"{"sizes": {"kind": "lognormal", "minimum": 2, "maximum": 1}}"#, "sizes.minimum is more"),
            (#"{"headers": []}"#, "a list of 1 to 100 classes"),
            (#"{"headers": [{"weight": 0}]}"#, "every weight of headers is 0"),
            (#"{"headers": [{"max_age": -1}]}"#, "headers.max_age is -1"),
            (#"{"headers": [{"etag": 1}]}"#, "headers.etag is 1; it takes true or false"),
            (#"{"headers": [{"vary": "a b"}]}"#, "is not a name of a request field"),
            (#"{"operations": {"read": 0}}"#, "every weight of operations is 0"),
            (#"{"revisit": {"kind": "constant", "seconds": 0}}"#, "revisit.seconds is 0"),
            (#"{"duplicates": 2}"#, "a number from 0 to 1"),
            (#"{"name": "Page Loads"}"#, "lower-case letters, digits and hyphens"),
        ])
    func refused(json: String, message: String) throws {
        let error = try #require(throws: JSONError.self) { try plan(json) }
        #expect("\(error)".contains(message), "\(error)")
    }

    @Test("shorthand says what JSON says") func shorthand() throws {
        #expect(try KeyPattern(WorkloadPlan.shorthand("zipf,exponent=0.9")) == .zipf(exponent: 0.9))
        #expect(try KeyPattern(WorkloadPlan.shorthand("scan")) == .scan)
        #expect(try BodySizes.Distribution(WorkloadPlan.shorthand(#"{"kind":"constant","bytes":9}"#)) == .constant(9))
        #expect(try OperationMix(WorkloadPlan.shorthand("read=1,store=2")) == OperationMix(read: 1, store: 2))
        let classes = try WorkloadPlan.headers(WorkloadPlan.shorthandList("max_age=60,etag=true;no_store=true"))
        #expect(classes == [HeaderClass(maxAge: 60, etag: true), HeaderClass(noStore: true)])
        for (text, message) in [
            ("zipf,exponnet=1", "did you mean exponent?"), ("zipf,0.9", "'0.9' has no '='"),
            ("zipf,exponent=1,exponent=2", "a second time"), ("", "'' is unknown"),
        ] {
            let error = try #require(throws: JSONError.self) { try KeyPattern(WorkloadPlan.shorthand(text)) }
            #expect("\(error)".contains(message), "\(error)")
        }
    }
}
