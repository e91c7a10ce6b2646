import HTTPSemantics
import Testing

@Suite("Freshness") struct FreshnessTests {
    struct Lifetime: CustomTestStringConvertible {
        var fields: String
        var status = 200
        var seconds: Int64
        var isHeuristic = false
        var testDescription: String { "\(status) \(fields)".replacing("\n", with: " | ") }

        init(_ seconds: Int64, _ fields: String, status: Int = 200, isHeuristic: Bool = false) {
            self.fields = fields
            self.status = status
            self.seconds = seconds
            self.isHeuristic = isHeuristic
        }
    }

    static let lifetimes: [Lifetime] = [
        // max-age
        .init(3600, "Cache-Control: max-age=3600"),
        .init(0, "Cache-Control: max-age=0"),
        .init(3600, "Cache-Control: max-age=3600\nExpires: {60}\nDate: {0}"),
        .init(60, "Cache-Control: max-age=60\nExpires: {3600}\nDate: {0}"),
        .init(60, "Cache-Control: max-age=60\nExpires: 0"),
        .init(60, "Cache-Control: max-age=60\nLast-Modified: {-100000}\nDate: {0}"),
        .init(60, "Cache-Control: max-age=60, s-maxage=3600"),
        .init(9, "Cache-Control: max-age=9, max-age=1"),
        .init(9, "Cache-Control: max-age=9\nCache-Control: max-age=1"),
        .init(60, "Cache-Control: private, max-age=\"60\""),
        .init(1 << 31, "Cache-Control: max-age=99999999999"),
        .init(1 << 31, "Cache-Control: max-age=99999999999999999999999999"),
        .init(60, "Cache-Control: max-age=60, immutable"),
        .init(60, "Cache-Control: max-age=60\nExpires: Thu, 01 Jan 1970 00:00:00 +0000"),
        // A value that cannot be understood makes the response stale.
        .init(0, "Cache-Control: max-age=abc\nExpires: {3600}\nDate: {0}"),
        .init(0, "Cache-Control: max-age=-1"),
        .init(0, "Cache-Control: max-age=60.0"),
        .init(0, "Cache-Control: max-age =60"),
        .init(0, "Cache-Control: max-age= 60"),
        .init(0, "Cache-Control: max-age=+60"),
        .init(0, "Cache-Control: max-age"),
        .init(0, "Cache-Control: max-age=\nLast-Modified: {-100000}\nDate: {0}"),
        .init(0, "Cache-Control: max-age=abc, max-age=60"),
        // Expires
        .init(3600, "Expires: {3600}\nDate: {0}"),
        .init(3600, "Expires: {3540}\nDate: {-60}"),
        .init(3600, "Expires: {7200}\nDate: {3600}"),
        .init(3600, "Expires: {3600}"),
        .init(3600, "Expires: {3600}\nDate: yesterday"),
        .init(0, "Expires: {-3600}\nDate: {0}"),
        .init(0, "Expires: {0}\nDate: {0}"),
        .init(0, "Expires: 0"),
        .init(0, "Expires: -1"),
        .init(5, "Expires: {5}\nLast-Modified: {-100000}\nDate: {0}"),
        .init(0, "Expires: \nLast-Modified: {-100000}\nDate: {0}"),
        .init(0, "Expires: Thu, 31 Dec 2037 23:59:59 +0000\nLast-Modified: {-100000}\nDate: {0}"),
        .init(60, "Expires: {60}\nExpires: {3600}\nDate: {0}"),
        .init(0, "Expires: 0\nExpires: {3600}\nDate: {0}"),
        .init(60, "Expires: {60}\nCache-Control: s-maxage=3600\nDate: {0}"),
        .init(251_602_300_799, "Expires: Fri, 31 Dec 9999 23:59:59 GMT\nDate: {0}"),
        // Heuristic
        .init(10, "Last-Modified: {-105}\nDate: {-5}", isHeuristic: true),
        .init(10, "Last-Modified: {-100}", isHeuristic: true),
        .init(10, "Last-Modified: {-109}\nDate: {0}", isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}\nCache-Control: max-age:60", isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}\nCache-Control: s-maxage=60", isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 203, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 204, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 300, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 301, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 308, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 404, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 405, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 410, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 414, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}", status: 501, isHeuristic: true),
        .init(0, "Last-Modified: {-100}\nDate: {0}", status: 302, isHeuristic: true),
        .init(0, "Last-Modified: {-100}\nDate: {0}", status: 500, isHeuristic: true),
        .init(0, "Last-Modified: {-100}\nDate: {0}\nCache-Control: private", status: 302, isHeuristic: true),
        .init(10, "Last-Modified: {-100}\nDate: {0}\nCache-Control: public", status: 302, isHeuristic: true),
        .init(0, "Last-Modified: {100}\nDate: {0}", isHeuristic: true),
        .init(0, "Last-Modified: last week\nDate: {0}", isHeuristic: true),
        .init(0, "Last-Modified: \nDate: {0}", isHeuristic: true),
        .init(0, "Date: {0}", isHeuristic: true),
        .init(0, "", isHeuristic: true),
    ]

    @Test(
        "the freshness lifetime is the first that applies of max-age, Expires and the heuristic", arguments: lifetimes)
    func theFreshnessLifetimeIsTheFirst(row: Lifetime) {
        let values = ResponseValues(response(row.fields, status: row.status), responseTime: receipt)
        let lifetime = FreshnessLifetime(values, responseTime: receipt)
        #expect(lifetime.seconds == row.seconds)
        #expect(lifetime.isHeuristic == row.isHeuristic)
    }

    @Test(
        "the age on arrival is the larger of what Date and Age say",
        arguments: [
            // fields, delay of the answer, age on arrival
            ("", 0, 0),
            ("", 3, 3),
            ("Date: {0}", 0, 0),
            ("Date: {-7}", 0, 7),
            ("Date: {-7}", 3, 7),
            ("Date: {7}", 0, 0),
            ("Date: {7}", 3, 3),
            ("Date: nonsense", 3, 3),
            ("Age: 50", 0, 50),
            ("Age: 50", 3, 53),
            ("Age: 50\nDate: {-20}", 0, 50),
            ("Age: 5\nDate: {-20}", 0, 20),
            ("Age: 7200, 0", 0, 7200),
            ("Age: 0, 7200", 0, 0),
            ("Age: 7200\nAge: 0", 0, 7200),
            ("Age: 7200.0", 0, 0),
            ("Age: -1", 0, 0),
            ("Age: old", 0, 0),
            ("Age: old, 50", 0, 0),
            ("Age: ", 0, 0),
            ("Age: 2147483648", 0, 1 << 31),
            ("Age: 99999999999999999999", 0, 1 << 31),
            ("Age: 50", -10, 50),
        ] as [(String, Int64, Int64)])
    func theAgeOnArrival(fields: String, delay: Int64, age: Int64) {
        #expect(stored(fields, delay: delay).initialAge == age)
    }

    @Test(
        "a response is fresh while its age is below its lifetime",
        arguments: [
            // fields, seconds after receipt, fresh
            ("Cache-Control: max-age=100\nAge: 50", 48, true),
            ("Cache-Control: max-age=100\nAge: 50", 49, true),
            ("Cache-Control: max-age=100\nAge: 50", 50, false),
            ("Cache-Control: max-age=100\nAge: 50", 53, false),
            ("Last-Modified: {-105}\nDate: {-5}", 4, true),
            ("Last-Modified: {-105}\nDate: {-5}", 5, false),
            ("Cache-Control: max-age=1", 0, true),
            ("Cache-Control: max-age=1", 1, false),
            ("Cache-Control: max-age=0", 0, false),
            ("Cache-Control: max-age=60, immutable", 60, false),
            ("Cache-Control: max-age=60", -10, true),
            ("Cache-Control: max-age=60\nAge: 60", -1000, false),
            ("Cache-Control: max-age=99999999999", 1 << 31, false),
            ("Expires: {10}\nDate: {0}", 9, true),
            ("Expires: {10}\nDate: {0}", 10, false),
        ] as [(String, Int64, Bool)])
    func aResponseIsFreshWhile(fields: String, after seconds: Int64, fresh: Bool) {
        #expect(stored(fields).isFresh(at: receipt + seconds) == fresh)
        #expect((decide(stored(fields), after: seconds) == .fresh) == fresh)
    }

    @Test("a clock that was set back makes no response younger than it arrived") func aClockThatWasSetBack() {
        #expect(stored("Age: 50").currentAge(at: receipt - 1_000_000) == 50)
    }

    @Test("times too far apart for the arithmetic make a response old and not young") func timesTooFarApart() {
        let values = ResponseValues(response("Cache-Control: max-age=60\nAge: 50"), responseTime: receipt)
        let early = StoredFacts(values, requestTime: .min, responseTime: .min)
        #expect(early.currentAge(at: .max) == .max)
        #expect(!early.isFresh(at: .max))
        let slow = StoredFacts(values, requestTime: .min, responseTime: .max)
        #expect(slow.initialAge == .max)
        #expect(slow.currentAge(at: .max) == .max)
    }

    @Test(
        "no clock and no time in a response makes the arithmetic trap", arguments: [Int64.min, -1, 0, 1, Int64.max],
        [Int64.min, -1, 0, 1, Int64.max])
    func noClockAndNoTimeIn(one: Int64, other: Int64) {
        var withExpires = ResponseFieldValues()
        withExpires.date = .at(one)
        withExpires.expires = .at(other)
        var withLastModified = ResponseFieldValues()
        withLastModified.date = .at(one)
        withLastModified.lastModified = .at(other)
        var withAge = ResponseFieldValues()
        withAge.age = DeltaSeconds(rawValue: .max)
        for fields in [withExpires, withLastModified, withAge] {
            let values = ResponseValues(status: 200, fields: fields)
            for (requestTime, responseTime) in [(one, other), (other, one), (one, one)] {
                let facts = StoredFacts(values, requestTime: requestTime, responseTime: responseTime)
                #expect(facts.initialAge >= 0)
                #expect(facts.lifetime >= 0)
                for now in [one, other] {
                    #expect(facts.currentAge(at: now) >= facts.initialAge)
                    _ = facts.generatedAt
                    _ = Reuse.decide(RequestFacts(), facts, now: now)
                    _ = StaleAllowance.onFailure(RequestFacts(), facts, now: now)
                }
            }
        }
    }

    @Test("unknown directives are ignored") func unknownDirectivesAreIgnored() {
        let plain = stored("Cache-Control: max-age=60")
        for unknown in ["frobnicate", "x=1", "community=\"UCI, no-store\"", "no-stored", "max-ages=1"] {
            #expect(stored("Cache-Control: \(unknown), max-age=60") == plain)
        }
    }
}
