extension Promise {
    /// Promises about cache keys.
    package static let keys = [
        apart("key-query", "a URL's query is part of its key", "https://a.example/p?v=1", "https://a.example/p?v=2"),
        apart("key-scheme", "a URL's scheme is part of its key", "https://a.example/p", "http://a.example/p"),
        apart(
            "key-port", "a URL's port is part of its key",
            // Also ports that begin or end with the default one, or joined to the host without it.
            pairs: [":8443", ":4430", ":44", ":4"].map { ("https://a.example\($0)/p", "https://a.example/p") }
                + [("https://a.example:4430/p", "https://a.example0/p")]),
        apart(
            "key-encoding", "an encoded delimiter is not the delimiter, nor is an encoded letter another",
            pairs: encoded),
        apart("key-case", "a path's case is part of the key", "https://a.example/P", "https://a.example/p"),
        same("key-host-case", "a host's case is not part of the key", "https://a.example/p", "https://A.Example/p"),
        same(
            "key-default-port", "a default port is not part of the key", "https://a.example/p",
            "https://a.example:443/p"),
        same(
            "key-default-port-http", "port 80 is http's, and not part of the key", "http://a.example/p",
            "http://a.example:80/p"),
        apart("key-other-port", "port 80 of https is part of the key", "https://a.example:80/p", "https://a.example/p"),
        same("key-scheme-case", "a scheme's case is not part of the key", "https://a.example/p", "HTTPS://a.example/p"),
        same("key-empty-path", "an empty path is the path /", "https://a.example/", "https://a.example"),
        apart(
            "key-percent", "an encoded percent sign is not decoded", "https://a.example/%2541", "https://a.example/%41"),
        apart(
            "key-encoded-query", "an encoded question mark is not a query", "https://a.example/p%3Fa",
            "https://a.example/p?a"),
        apart("key-empty-query", "an empty query is not a missing one", "https://a.example/p?", "https://a.example/p"),
        apart("key-host", "a URL's host is part of its key", "https://a.example/p", "https://www.a.example/p"),
        apart(
            "key-slash", "a slash at the end of a path is part of the key", "https://a.example/p/",
            "https://a.example/p"),
        apart("key-slashes", "two slashes are not one", "https://a.example//p", "https://a.example/p"),
        apart(
            "key-plus", "a plus sign is not an encoded space", "https://a.example/p?a+b", "https://a.example/p?a%20b"),
        apart(
            "key-repeated", "each value of a repeated parameter is part of the key", "https://a.example/p?a=1&a=2",
            "https://a.example/p?a=2"),
        apart(
            "key-value", "the value of each parameter is part of the key",
            pairs: [
                ("https://a.example/p?a=1&b=2", "https://a.example/p?a=1&b=3"),
                ("https://a.example/p?a=1", "https://a.example/p?a=01"),
                ("https://a.example/p;v=1", "https://a.example/p;v=2"),
                ("https://a.example/p;v=1", "https://a.example/p"),
            ]),
        apart(
            "key-order", "the order of parameters is part of the key", "https://a.example/p?b=2&a=1",
            "https://a.example/p?a=1&b=2"),
        apart(
            "key-no-value", "an empty value is not a missing one", "https://a.example/p?a=", "https://a.example/p?a"),
        apart(
            "key-empty-parameter", "an empty parameter is part of the key", "https://a.example/p?a=1&",
            "https://a.example/p?a=1"),
        apart(
            "key-query-case", "a query's case is part of the key", "https://a.example/p?A=1", "https://a.example/p?a=1"),
        apart(
            "key-campaign", "a parameter is part of the key whatever its name", "https://a.example/p?a=1&utm_source=b",
            "https://a.example/p?a=1"),
        same(
            "key-fragment", "a fragment is not part of the key",
            pairs: [
                ("https://a.example/p", "https://a.example/p#part"),
                ("https://a.example/p?v=1", "https://a.example/p?v=1#part"),
                ("https://a.example/p", "https://a.example/p#part?v=1"),
                ("https://a.example/p", "https://a.example/p#a/b"),
            ]),
        refused("key-other-scheme", "only http and https are cached", "ftp://a.example/p"),
        refused("key-user", "a URL with a user is not cached", "https://user:secret@a.example/p"),
        Promise("key-many", "5,000 keys are never confused") { trial in
            try trial.begin(memory: 16 << 20)
            // A slow subject gets fewer keys.
            var count = 0
            let time = SearchTime(seconds: trial.model.seconds / 2)
            trial.note("store \(Trial.many(0).url) to …/4999, or fewer if it is slow, 200 bytes each")
            while count < 5_000, count < 64 || !time.isOver {
                try trial.quietly(Trial.many(count), bytes: 200, version: 1)
                count += 1
            }
            trial.note("look all of them up")
            var found = 0
            for number in 0..<count where try trial.found(Trial.many(number)) != nil { found += 1 }
            try expect(found > 0, "found not a single one")
        },
    ]

    /// URLs that differ in a reserved character and its code, which aren't equivalent by RFC 3986, 2.2.
    private static let encoded: [(String, String)] =
        [("%2F", "/"), ("%3B", ";"), ("%2C", ",")].map { ("https://a.example/a\($0)b", "https://a.example/a\($1)b") }
        + [("%26", "&"), ("%3D", "="), ("%2B", "+"), ("%23", "#")].map {
            ("https://a.example/p?a=1\($0)b=2", "https://a.example/p?a=1\($1)b=2")
        }
        // Canonically equivalent letters, which Swift's strings don't tell apart.
        + [("https://a.example/caf%C3%A9", "https://a.example/cafe%CC%81")]

    /// Two requests that must have different keys.
    private static func apart(_ name: String, _ summary: String, _ one: String, _ other: String) -> Promise {
        apart(name, summary, pairs: [(one, other)])
    }

    /// Pairs of requests that must have different keys, in either order. On disk a file's name may join them.
    private static func apart(_ name: String, _ summary: String, pairs: [(String, String)]) -> Promise {
        Promise(name, summary) { trial in
            let hasBoth = trial.capabilities.isSuperset(of: [.memory, .disk])
            for isOnDisk in hasBoth ? [false, true] : [false] {
                for (one, other) in pairs + pairs.map({ ($1, $0) }) {
                    try trial.begin(memory: isOnDisk ? 0 : 1 << 20, disk: isOnDisk ? 1 << 20 : nil)
                    try trial.store(SubjectRequest(one))
                    try expect(try trial.lookUp(SubjectRequest(other)) == nil, "found something")
                    try expect(try trial.lookUp(SubjectRequest(one)) == 1, "found nothing")
                    trial.clean()
                }
            }
        }
    }

    /// Two spellings of one request.
    private static func same(_ name: String, _ summary: String, _ one: String, _ other: String) -> Promise {
        same(name, summary, pairs: [(one, other)])
    }

    /// Pairs of spellings of one request.
    private static func same(_ name: String, _ summary: String, pairs: [(String, String)]) -> Promise {
        Promise(name, summary) { trial in
            try URLReading.require(trial)
            for (one, other) in pairs {
                try trial.begin()
                try trial.store(SubjectRequest(one))
                try expect(try trial.lookUp(SubjectRequest(other), storedAs: SubjectRequest(one)) == 1, "found nothing")
                trial.clean()
            }
        }
    }

    /// A URL that must not be cached. An error is as good as storing nothing.
    private static func refused(_ name: String, _ summary: String, _ url: String) -> Promise {
        Promise(name, summary) { trial in
            try URLReading.require(trial)
            try trial.begin()
            do {
                try trial.store(SubjectRequest(url))
                try expect(try trial.lookUp(SubjectRequest(url)) == nil, "found what was stored")
            } catch let broken as PromiseBroken {
                throw broken
            } catch {
                // The subject refused the URL.
            }
        }
    }
}

extension Promise {
    /// Promises about methods and `Vary`.
    package static let requests = [
        Promise("method-stored", "a response stored for a POST does not answer a GET", needs: .requests) { trial in
            try trial.begin()
            try trial.store(SubjectRequest("https://a.example/p", method: "POST"))
            try expect(try trial.lookUp(SubjectRequest("https://a.example/p")) == nil, "found something")
        },
        Promise("method-looked-up", "a response stored for a GET does not answer a POST", needs: .requests) { trial in
            try trial.begin()
            try trial.store(SubjectRequest("https://a.example/p"))
            try expect(
                try trial.lookUp(SubjectRequest("https://a.example/p", method: "POST")) == nil, "found something")
        },
        notStored("method-head", "HEAD"), notStored("method-put", "PUT"), notStored("method-delete", "DELETE"),
        Promise("vary-absent", "a missing request field is another value of it than any other", needs: .requests) {
            trial in
            let plain = SubjectRequest("https://a.example/p", vary: "Accept-Language")
            let french = SubjectRequest(
                "https://a.example/p", fields: [HeaderField("Accept-Language", "fr")], vary: "Accept-Language")
            for (stored, other) in [(plain, french), (french, plain)] {
                try trial.begin()
                try trial.store(stored)
                try expect(try trial.lookUp(other) == nil, "found something")
                try expect(try trial.lookUp(stored) == 1, "found nothing")
                trial.clean()
            }
        },
        Promise("vary-star", "a response with Vary: * answers no request", needs: .requests) { trial in
            let request = SubjectRequest("https://a.example/p", vary: "*")
            try trial.begin()
            try trial.store(request)
            try expect(try trial.lookUp(request) == nil, "found it")
        },
        Promise("vary", "a response that varies by a request field answers no other value of it", needs: .requests) {
            trial in
            for (french, german) in varied {
                try trial.begin()
                try trial.store(french)
                try expect(try trial.lookUp(german) == nil, "found something")
                try trial.store(german)
                try expect(try trial.lookUp(german) == 1, "found nothing")
                // A cache may keep one representation of a URL, or several.
                let kept = try trial.lookUp(french)
                try expect(kept == nil || kept == 1, "found version \(kept ?? 0)")
                trial.clean()
            }
        },
    ]

    /// Requests that differ in a field that the response names: in lower case, as one of several, or in its second
    /// line.
    private static let varied: [(SubjectRequest, SubjectRequest)] = [
        languages(["Accept-Language"], vary: "Accept-Language"),
        languages(["accept-language"], vary: "Accept-Language"),
        languages(["Accept-Language"], vary: "accept-language"),
        languages(["Accept-Language"], vary: "Accept-Encoding, Accept-Language"),
        languages(["Accept-Language"], vary: "Accept-Encoding,Accept-Language"),
        languages(["Accept-Language"], vary: "Accept-Language,Accept-Encoding"),
        languages(["Accept-Language", "Accept-Language"], vary: "Accept-Language"),
    ]

    /// Two requests with lines of these names; only the last differs.
    private static func languages(_ names: [String], vary: String) -> (SubjectRequest, SubjectRequest) {
        func request(_ language: String) -> SubjectRequest {
            let fields = names.indices.map { HeaderField(names[$0], $0 < names.count - 1 ? "en" : language) }
            return SubjectRequest("https://a.example/p", fields: fields, vary: vary)
        }
        return (request("fr"), request("de"))
    }

    private static func notStored(_ name: String, _ method: String) -> Promise {
        Promise(name, "a response stored for a \(method) does not answer a GET", needs: .requests) { trial in
            try trial.begin()
            try trial.store(SubjectRequest("https://a.example/p", method: method))
            try expect(try trial.lookUp(SubjectRequest("https://a.example/p")) == nil, "found something")
        }
    }
}

/// Whether a subject parses URLs, or takes their text as a key, like a key-value store. In the latter case, promises
/// about spellings mean nothing.
enum URLReading {
    /// - Throws: ``PromiseNotApplicable`` for a subject that tells all spellings of a URL apart and doesn't declare
    ///   whole requests; errors of the subject.
    static func require(_ trial: Trial) throws {
        guard !trial.capabilities.contains(.requests), try !joinsSpellings(trial) else { return }
        throw PromiseNotApplicable(
            description: "it takes the text of a URL as its key, and does not say that it has whole requests")
    }

    private static let url = "https://a.example/"
    private static let spellings = [
        "https://A.Example/", "https://a.example:443/", "HTTPS://a.example/", "https://a.example",
        "https://a.example/#part",
    ]

    /// Whether any other spelling finds the entry.
    private static func joinsSpellings(_ trial: Trial) throws -> Bool {
        try trial.silently(true) {
            try trial.begin()
            defer { trial.clean() }
            try trial.store(SubjectRequest(url))
            return try spellings.contains {
                try trial.found(SubjectRequest($0), storedAs: SubjectRequest(url)) != nil
            }
        }
    }
}
