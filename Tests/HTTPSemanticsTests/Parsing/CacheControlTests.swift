import HTTPSemantics
import Testing

/// The reading of a value: the directives named, everything else absent.
private func control(
    _ directives: CacheControl.Directives = [], maxAge: DeltaSeconds = .absent, sharedMaxAge: DeltaSeconds = .absent,
    staleWhileRevalidate: DeltaSeconds = .absent, staleIfError: DeltaSeconds = .absent,
    minFresh: DeltaSeconds = .absent, maxStale: DeltaSeconds = .absent,
    noCacheFields: Range<UInt32> = 0..<0, privateFields: Range<UInt32> = 0..<0
) -> CacheControl {
    var control = CacheControl()
    control.directives = directives
    control.maxAge = maxAge
    control.sharedMaxAge = sharedMaxAge
    control.staleWhileRevalidate = staleWhileRevalidate
    control.staleIfError = staleIfError
    control.minFresh = minFresh
    control.maxStale = maxStale
    control.noCacheFields = FieldRange(offset: noCacheFields.lowerBound, count: UInt32(noCacheFields.count))
    control.privateFields = FieldRange(offset: privateFields.lowerBound, count: UInt32(privateFields.count))
    return control
}

@Suite("Cache-Control") struct CacheControlTests {
    @Test("a value means these directives and no others", arguments: CacheControlRows.wellFormed)
    func wellFormed(value: String, expected: CacheControl) {
        #expect(CacheControl.parse(value) == expected)
        #expect(CacheControl.parse(ContiguousArray(value.utf8).span.bytes) == expected)
    }

    @Test("a value that leaves the grammar is read the safe way", arguments: CacheControlRows.malformed)
    func malformed(value: String, expected: CacheControl) {
        #expect(CacheControl.parse(value) == expected)
    }

    @Test("case, whitespace around elements and empty elements change nothing", arguments: CacheControlRows.wellFormed)
    func invariance(value: String, expected: CacheControl) {
        func compare(_ changed: String) {
            var read = CacheControl.parse(changed)
            #expect((read.noCacheFields.count > 0) == (expected.noCacheFields.count > 0))
            read.noCacheFields = expected.noCacheFields
            read.privateFields = expected.privateFields
            #expect(read == expected, "\(changed)")
        }
        compare(value.uppercased())
        compare(" \t, ,\(value) ,\t,")
        guard !value.contains("\"") else { return }
        compare(value.split(separator: ",").joined(separator: " \t,\t "))
        compare(value.split(separator: ",").joined(separator: ",,"))
    }

    @Test("every name is told from each name that differs in one byte") func everyByteOfANameCounts() {
        for name in CacheControlRows.names {
            // Directives that permit something are ignored if they have an argument.
            for suffix in ["public", "immutable", "must-understand"].contains(name) ? [""] : ["", "=7"] {
                let known = CacheControl.parse(name + suffix)
                #expect(known != CacheControl(), "\(name)")
                var bytes = Array((name + suffix).utf8)
                for place in 0..<name.utf8.count {
                    for byte in UInt8.min...UInt8.max {
                        let original = bytes[place]
                        bytes[place] = byte
                        let read = CacheControl.parse(ContiguousArray(bytes).span.bytes)
                        let isSame = byte == original || (original != 0x2D && byte == original ^ 0x20)
                        if isSame {
                            #expect(read == known, "\(name), byte \(place) as \(byte)")
                        } else if ![0x20, 0x09, 0x2C, 0x22, 0x3D].contains(byte) {
                            #expect(read == CacheControl(), "\(name), byte \(place) as \(byte)")
                        }
                        bytes[place] = original
                    }
                }
                #expect(CacheControl.parse(name + "s" + suffix) == CacheControl())
                #expect(CacheControl.parse(String(name.dropLast()) + suffix) == CacheControl())
            }
        }
    }

    @Test("a number of any length is read or clamped", arguments: 1...40)
    func digits(count: Int) {
        let nines = String(repeating: "9", count: count)
        let expected = DeltaSeconds.seconds(Int64(nines) ?? .max)
        let zeros = String(repeating: "0", count: count)
        #expect(CacheControl.parse("max-age=\(nines)").maxAge == expected)
        #expect(CacheControl.parse("s-maxage=\(nines), public").sharedMaxAge == expected)
        #expect(CacheControl.parse("stale-while-revalidate=\"\(nines)\"").staleWhileRevalidate == expected)
        #expect(CacheControl.parse("max-age=\(zeros)").maxAge == .seconds(0))
        #expect(CacheControl.parse("max-age=\(zeros)\(nines)").maxAge == expected)
        #expect(CacheControl.parse("max-age=\(nines)x").maxAge == .invalid)
        #expect(CacheControl.parse("max-age=x\(nines)").maxAge == .invalid)
        #expect(CacheControl.parse("max-age=\"\(nines).\"").maxAge == .invalid)
        #expect(CacheControl.parse("public, max-age=\(zeros)-\(nines)").maxAge == .invalid)
    }
}

@Suite("Cache-Control over several lines") struct CacheControlLinesTests {
    private func fields(_ lines: [String]) -> HTTPFields {
        HTTPFields(lines.map { HTTPFields.Field(name: "cache-CONTROL", value: $0) })
    }

    @Test(
        "several lines are read as one value joined in order",
        arguments: [
            ["max-age=9", "max-age=1"], ["max-age=x", "max-age=1"], ["public", "no-store"], ["", "no-cache"], [""],
            ["no-cache=\"A\"", "private=\"B\", no-cache=\"C\""], ["max-age=1,", ",immutable"], ["max-age=", "60"],
            ["x=\"open", "no-store\", max-age=5"], ["x=\"open", "no-store"], ["x=\"a\\", "\" no-store"],
            ["no-cache=\"A", "B\"", "max-age=5"], ["a\"b", "max-age=5"], ["max-age=5 ", " x"],
            ["private", "private=\"X\""],
            ["max-stale", "max-stale=5"], [String(repeating: "x", count: 300), "max-age=7, private=\"Y\""],
        ])
    func joined(lines: [String]) {
        let expected = CacheControl.parse(lines.joined(separator: ", "))
        #expect(CacheControl(fields(lines)) == expected)
        let block = lines.map { "Cache-Control: \($0)\r\n" }.joined()
        #expect(throws: Never.self) {
            let values = try ResponseFieldValues.parse(ContiguousArray(block.utf8).span.bytes, now: 0)
            // Field lists are positions in the joined value, which change because joining removes the whitespace around
            // each line.
            #expect(values.cacheControl.maxAge == expected.maxAge)
            #expect(values.cacheControl.directives == expected.directives)
            #expect(values.hasCacheControl)
        }
        #expect(ResponseFieldValues(fields(lines), now: 0).cacheControl.maxAge == expected.maxAge)
        #expect(ResponseFieldValues(fields(lines), now: 0).cacheControl.directives == expected.directives)
    }

    @Test("no line is no directive") func none() {
        #expect(CacheControl(HTTPFields()) == CacheControl())
        #expect(CacheControl(["Cache": "no-store", "Control": "no-store"]) == CacheControl())
    }

    @Test("a field list is found again in the joined value") func fieldLists() throws {
        let fields = fields(["max-age=1", "no-cache=\"Set-Cookie, X\"", "private=Y"])
        let value = try #require(fields["Cache-Control"])
        let control = CacheControl(fields)
        #expect(control.noCacheFields.text(in: ContiguousArray(value.utf8).span.bytes) == "Set-Cookie, X")
        #expect(control.privateFields.text(in: ContiguousArray(value.utf8).span.bytes) == "Y")
    }
}

private enum CacheControlRows {
    static let names = [
        "max-age", "s-maxage", "stale-while-revalidate", "stale-if-error", "min-fresh", "max-stale", "no-store",
        "no-cache",
        "must-revalidate", "proxy-revalidate", "public", "private", "immutable", "must-understand", "no-transform",
        "only-if-cached",
    ]

    static let wellFormed: [(String, CacheControl)] = [
        // Each directive alone
        ("no-store", control(.noStore)), ("no-cache", control(.noCache)), ("public", control(.public)),
        ("private", control(.private)), ("immutable", control(.immutable)), ("no-transform", control(.noTransform)),
        ("must-revalidate", control(.mustRevalidate)), ("proxy-revalidate", control(.proxyRevalidate)),
        ("must-understand", control(.mustUnderstand)), ("only-if-cached", control(.onlyIfCached)),
        ("max-stale", control(.anyStale)), ("max-age=0", control(maxAge: .seconds(0))),
        ("max-age=3600", control(maxAge: .seconds(3600))), ("s-maxage=60", control(sharedMaxAge: .seconds(60))),
        ("stale-while-revalidate=30", control(staleWhileRevalidate: .seconds(30))),
        ("stale-if-error=1200", control(staleIfError: .seconds(1200))), ("min-fresh=5", control(minFresh: .seconds(5))),
        ("max-stale=10", control(maxStale: .seconds(10))),
        // Case, commas, the quoted form
        ("MAX-AGE=3600", control(maxAge: .seconds(3600))), (",,max-age=3600,", control(maxAge: .seconds(3600))),
        ("max-age=\"3600\"", control(maxAge: .seconds(3600))), ("max-age=003600", control(maxAge: .seconds(3600))),
        ("Public,Max-Age=5", control(.public, maxAge: .seconds(5))), ("NO-CACHE", control(.noCache)),
        ("min-fresh=\"20\"", control(minFresh: .seconds(20))), ("max-age=\"36\\00\"", control(maxAge: .seconds(3600))),
        ("Stale-While-Revalidate=\"7\"", control(staleWhileRevalidate: .seconds(7))),
        // Limits
        ("max-age=2147483647", control(maxAge: .seconds(2_147_483_647))),
        ("max-age=2147483648", control(maxAge: .maximum)), ("max-age=2147483649", control(maxAge: .maximum)),
        ("max-age=4294967295", control(maxAge: .maximum)), ("max-age=4294967294", control(maxAge: .maximum)),
        ("max-age=99999999999", control(maxAge: .maximum)), ("max-age=99999999999999999999", control(maxAge: .maximum)),
        ("max-age=18446744073709551616", control(maxAge: .maximum)),
        ("max-age=99999999", control(maxAge: .seconds(99_999_999))),
        ("max-age=100000000", control(maxAge: .seconds(100_000_000))),
        // Several
        ("public, max-age=31536000, immutable", control([.public, .immutable], maxAge: .seconds(31_536_000))),
        ("no-cache, no-store, must-revalidate", control([.noCache, .noStore, .mustRevalidate])),
        (
            "private, no-cache, no-store, max-age=0, must-revalidate",
            control([.private, .noCache, .noStore, .mustRevalidate], maxAge: .seconds(0))
        ),
        ("max-age=9, max-age=1", control(maxAge: .seconds(9))),
        ("max-age=9, no-cache", control(.noCache, maxAge: .seconds(9))),
        (
            "s-maxage=1,max-age=2,stale-if-error=3,stale-while-revalidate=4,min-fresh=5,max-stale=6",
            control(
                maxAge: .seconds(2), sharedMaxAge: .seconds(1), staleWhileRevalidate: .seconds(4),
                staleIfError: .seconds(3), minFresh: .seconds(5), maxStale: .seconds(6))
        ),
        ("max-stale=5, max-stale", control(.anyStale, maxStale: .seconds(5))),
        ("max-stale, max-stale=5", control(.anyStale, maxStale: .seconds(5))),
        ("public, private", control([.public, .private])),
        ("no-store, max-age=60", control(.noStore, maxAge: .seconds(60))),
        // Extensions
        ("community=\"UCI\", max-age=5", control(maxAge: .seconds(5))),
        ("max-age=1, x=\"max-age=9\"", control(maxAge: .seconds(1))),
        ("x=\"a\\\"b, no-store\", max-age=5", control(maxAge: .seconds(5))), ("x=\"no-store, private\"", control()),
        ("x=\"\\\\\", no-store", control(.noStore)), ("pre-check=0, post-check=0", control()), ("x", control()),
        ("max-age-x=5", control()), ("xmax-age=5", control()), ("no-store2", control()), ("x=\"\"", control()),
        ("x=no-store", control()), ("stale-while-revalidatex=1", control()), ("proxy-revalidat", control()),
        ("a-name-of-exactly24-bytes, max-age=4", control(maxAge: .seconds(4))),
        ("a-very-long-extension-name-that-goes-on-and-on=1, no-cache", control(.noCache)),
        // Field lists
        ("no-cache=\"Set-Cookie\"", control(.noCache, noCacheFields: 10..<20)),
        ("private=\"A, B\"", control(.private, privateFields: 9..<13)),
        ("no-cache=Set-Cookie", control(.noCache, noCacheFields: 9..<19)), ("no-cache=\"\"", control(.noCache)),
        ("private=\"no-store\"", control(.private, privateFields: 9..<17)),
        (
            "no-cache=\"A\", private=\"B\", no-cache=\"C\"",
            control([.noCache, .private], noCacheFields: 10..<11, privateFields: 23..<24)
        ),
        ("no-cache, no-cache=\"A\"", control(.noCache, noCacheFields: 20..<21)),
        // Arguments where the RFC defines no argument
        ("no-store=1", control(.noStore)), ("must-revalidate=\"x\"", control(.mustRevalidate)), ("public=1", control()),
        ("immutable=\"\"", control(.immutable)), ("immutable=x", control(.immutable)), ("immutable=", control()),
        ("immutable=x y", control()), ("must-understand=x", control()), ("only-if-cached=0", control(.onlyIfCached)),
        // Nothing
        ("", control()), (" ", control()), (",", control()), (" , \t,,", control()),
    ]

    static let malformed: [(String, CacheControl)] = [
        // An argument that is not a number
        ("max-age =60", control(maxAge: .invalid)), ("max-age= 60", control(maxAge: .invalid)),
        ("max-age=-1", control(maxAge: .invalid)), ("max-age=60.0", control(maxAge: .invalid)),
        ("max-age=60a", control(maxAge: .invalid)), ("max-age='60'", control(maxAge: .invalid)),
        ("max-age=+60", control(maxAge: .invalid)), ("max-age=", control(maxAge: .invalid)),
        ("max-age", control(maxAge: .invalid)), ("max-age=\"\"", control(maxAge: .invalid)),
        ("max-age=\"-1\"", control(maxAge: .invalid)), ("max-age=\" 60\"", control(maxAge: .invalid)),
        ("max-age=\"60 \"", control(maxAge: .invalid)), ("max-age=60 60", control(maxAge: .invalid)),
        ("max-age=\"60\" x", control(maxAge: .invalid)), ("max-age=\"6\"0", control(maxAge: .invalid)),
        ("max-age=0x10", control(maxAge: .invalid)), ("max-age=1e3", control(maxAge: .invalid)),
        ("max-age=60;", control(.malformed, maxAge: .invalid)), ("max-age==60", control(maxAge: .invalid)),
        ("max-age=6,0", control(maxAge: .seconds(6))), ("max-age=60=", control(maxAge: .invalid)),
        ("max-age 60", control(maxAge: .invalid)), ("max-age=\u{661}", control(maxAge: .invalid)),
        ("max-age=60\u{0}", control(maxAge: .invalid)), ("max-age=60\r", control(maxAge: .invalid)),
        ("s-maxage=x, max-age=5", control(maxAge: .seconds(5), sharedMaxAge: .invalid)),
        ("max-stale=x", control(maxStale: .invalid)), ("max-stale x", control(maxStale: .invalid)),
        ("max-stale=", control(maxStale: .invalid)), ("min-fresh", control(minFresh: .invalid)),
        // The first one counts, valid or not
        ("max-age=x, max-age=1", control(maxAge: .invalid)), ("max-age, max-age=1", control(maxAge: .invalid)),
        ("max-age=1, max-age=x", control(maxAge: .seconds(1))),
        // Names that are not directives
        ("max-age:60", control()), ("a;max-age=5", control()), ("=max-age", control()), ("=", control()),
        ("=5", control()),
        ("no store", control()), ("no_store", control()), ("n\u{F6}-store", control()), ("no-store\u{0}", control()),
        ("max-age:60, max-age=7", control(maxAge: .seconds(7))), ("x=1;no-store, no-cache", control(.noCache)),
        // Junk after a name: a directive that restricts applies, one that permits does not
        ("no-store foo", control(.noStore)), ("no-cache =x", control(.noCache)), ("no-cache= x", control(.noCache)),
        ("public foo", control()), ("immutable =", control()), ("must-understand foo", control()),
        ("private foo", control(.private)), ("only-if-cached !", control(.onlyIfCached)),
        ("no-cache=a b", control(.noCache)), ("private=a@b", control(.private)),
        ("no-cache=\"A\" x", control(.noCache)),
        // Semicolons for commas: what restricts counts, and nothing else does
        ("no-store;", control([.noStore, .malformed])),
        ("no-cache; no-store", control([.noCache, .noStore, .malformed])),
        ("no-cache;no-store;must-revalidate", control([.noCache, .noStore, .mustRevalidate, .malformed])),
        ("private; foo; no-store", control([.private, .noStore, .malformed])),
        ("no-cache ; NO-STORE", control([.noCache, .noStore, .malformed])),
        ("private;max-age=0", control([.private, .malformed])), ("max-age;x=5", control(.malformed, maxAge: .invalid)),
        ("max-age=0; no-store", control([.noStore, .malformed], maxAge: .invalid)),
        ("max-age=0;no-store, max-age=5", control([.noStore, .malformed], maxAge: .invalid)),
        ("max-age=\"0\"; no-store", control([.noStore, .malformed], maxAge: .invalid)),
        ("public; max-age=60; immutable", control(.malformed)),
        ("max-stale; max-stale", control(.malformed, maxStale: .invalid)),
        ("no-cache=\"A;no-store\"", control(.noCache, noCacheFields: 10..<20)),
        ("no-cache=\"A\"; no-store", control([.noCache, .noStore, .malformed])),
        ("no-cache=A;no-store=1", control([.noCache, .noStore, .malformed])),
        ("no-cache=\"A; no-store", control([.noCache, .malformed])), ("a; no-store", control()),
        ("private;;x=\"no-store\"; , max-age=9", control([.private, .malformed], maxAge: .seconds(9))),
        ("private; only-if-cached=\"a, no-store\"", control([.private, .onlyIfCached, .malformed])),
        // Quotes that hide directives
        ("max-age=\"60", control(.malformed, maxAge: .invalid)), ("x=\"abc, no-store", control(.malformed)),
        ("max-age=5, x=\"a", control(.malformed, maxAge: .seconds(5))), ("x=\"a\\\", max-age=5", control(.malformed)),
        ("no-cache=\"A", control([.noCache, .malformed])), ("public=\"", control(.malformed)),
        ("\"", control(.malformed)),
        ("\"max-age=5\"", control(.malformed)), ("\"a, no-store\"", control([.malformed])),
        ("a\"b, no-store", control([.malformed, .noStore])),
        ("a=b\"c, no-store, d\"", control([.malformed, .noStore])),
        ("x= \"a, no-store\"", control(.malformed)), ("x= \"a, no-store, b\"", control([.malformed, .noStore])),
        ("x=\"a\"\"b, no-store\"", control(.malformed)), ("x=\"a\" \"b\", no-store", control([.malformed, .noStore])),
        ("9 x=\"a, no-store, b\"", control([.malformed, .noStore])), ("no-store\"", control(.malformed)),
        ("max-age=60\"", control(.malformed, maxAge: .invalid)), ("x=\"\\", control(.malformed)),
    ]
}
