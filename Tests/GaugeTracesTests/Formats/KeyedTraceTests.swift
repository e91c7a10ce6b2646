import GaugeSupport
import Testing

@testable import GaugeTraces

/// Traces whose objects have ids or hashes, and paths, in columns of any name.
@Suite("Keys in columns of any name") struct KeyedTraceTests {
    private func requests(_ text: String, fields: String) throws -> [TraceRequest] {
        var reader = try TraceReader(
            TraceInput(name: "t", bytes: Array(text.utf8)), layout: TraceLayout(fields: try LogFields(fields)),
            skipping: .nothing)
        var requests: [TraceRequest] = []
        while let request = try reader.next() { requests.append(request) }
        return requests
    }

    @Test("a path in the column url is one of an unknown origin, as in a log") func paths() throws {
        let text = "time,method,url,status,size\n1,GET,/a.css,200,1000\n2,GET,/a.css,200,1000\n3,GET,a.css,200,1000\n"
        let read = try TraceReading.all(text, nil)
        #expect(read.map(\.url) == ["http://origin.invalid/a.css", "http://origin.invalid/a.css", "a.css"])
        let log = try TraceReading.all("_time,method,uri,status,bytes\n1,GET,/a.css,200,1000\n", nil)
        #expect(log.map(\.id) == [read[0].id])
    }

    @Test("in CSV, JSON and words a key is hashed, or a number, and has no URL") func keys() throws {
        for (text, fields) in [
            ("cacheKey,n,when\nx y,7,100\n18,8,101\n", "key=cacheKey,size=n,time=when"),
            ("when\tn\tcacheKey\n100\t7\tx y\n101\t8\t18\n", "key=cacheKey,size=n,time=when"),
            (
                #"{"a":{"k":"x y"},"n":7,"when":100}"# + "\n" + #"{"a":{"k":18},"n":8,"when":101}"# + "\n",
                "key=a.k,size=n,time=when"
            ),
            ("cacheKey=\"x y\" n=7 when=100\ncacheKey=18 n=8 when=101\n", "key=cacheKey,size=n,time=when"),
        ] {
            let read = try requests(text, fields: fields)
            #expect(read.map(\.id) == [DecimalText.hash("x y".utf8), 18] && read.map(\.size) == [7, 8], "\(fields)")
            #expect(read.map(\.time) == [100, 101] && read.allSatisfy { $0.url == nil && $0.exchange == nil })
        }
    }

    @Test("with a status, a method or a lifetime, the rules of HTTP hold for keys too") func exchanges() throws {
        let text = "k,s,m,n,t\na,304,GET,5,1\nb,200,HEAD,5,2\nc,200,,5,3\n,200,GET,5,4\n"
        let named = "key=k,status=s,method=m,size=n,time=t"
        #expect(throws: TraceError.self) { try requests(text, fields: named) }
        let read = try requests(String(text.dropLast(",200,GET,5,4\n".count)), fields: named)
        #expect(read.map(\.size) == [nil, nil, 5])
        #expect(read.map { $0.exchange?.method } == ["GET", "HEAD", "GET"] && read[0].exchange?.status == 304)
        let fresh = try requests("k,ttl\na,60\n", fields: "key=k,lifetime=ttl")
        #expect(fresh[0].exchange?.responseFields.map { String(decoding: $0.value, as: UTF8.self) } == ["max-age=60"])
    }

    @Test("a key stands in place of a URL, not beside one") func both() {
        for fields in ["key=a,url=b", "key=a,line=b", "size=a"] {
            #expect(throws: GaugeError.self, "\(fields)") { try LogFields(fields) }
        }
    }

    @Test("where the cache makes no key from any URL, that is known") func refused() {
        func refusesAll(_ urls: [String?]) -> Bool {
            var rules = AccessRules(sizes: BodySizes(.oneSize, seed: 1), urls: RequestURLs(seed: 1))
            rules.admission = AdmissionRule(keyBytes: { $0.hasPrefix("http") ? 9 : nil }, overhead: 0, share: 1)
            for url in urls { _ = rules.access(TraceRequest(id: DecimalText.hash((url ?? "").utf8), url: url)) }
            return rules.uncached.refusesAllURLs
        }
        #expect(refusesAll(["a", "b", "a"]) && !refusesAll(["a", "http://a.example/"]) && !refusesAll([nil]))
        #expect(!refusesAll([]) && !refusesAll(["http://a.example/", "a"]))
    }
}
