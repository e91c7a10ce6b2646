import GaugeSupport

extension WorkloadPlan {
    /// Reads a workload file.
    ///
    /// - Parameter bytes: at most 64 KiB of JSON. Missing members have the values of ``init()``.
    /// - Throws: `JSONError`, with line and column, for invalid JSON and for members that are unknown, of the wrong
    ///   type or out of range.
    @usableFromInline package init(json bytes: [UInt8]) throws(JSONError) {
        self.init()
        var fields = try JSONFields(try JSONReader.read(bytes), name: "the workload")
        name = try fields.text("name", atMost: 64, default: name)
        guard Self.isName(name) else {
            throw JSONError(place: fields.place, reason: "the name has to be of lower-case letters, digits and hyphens")
        }
        models = try fields.text("models", atMost: 400, default: models)
        objects = try fields.whole("objects", in: Bounds.objects, default: objects)
        if let node = fields.optional("keys") { keys = try KeyPattern(node) }
        if let node = fields.optional("sizes") { sizes = try BodySizes.Distribution(node) }
        if let node = fields.optional("headers") { headers = try Self.headers(node) }
        if let node = fields.optional("operations") { operations = try OperationMix(node) }
        if let node = fields.optional("revisit") { revisit = try RevisitInterval(node) }
        duplicates = try fields.number("duplicates", in: 0...1, default: duplicates)
        try fields.finish()
    }

    package static func headers(_ node: JSONNode) throws(JSONError) -> [HeaderClass] {
        guard case .list(let list) = node.value, Bounds.classes.contains(list.count) else {
            throw JSONError(
                place: node.place, reason: "headers takes a list of 1 to \(Bounds.classes.upperBound) classes")
        }
        var classes: [HeaderClass] = []
        for node in list { classes.append(try HeaderClass(node)) }
        try checkWeights(classes.map(\.weight), of: "headers", at: node.place)
        return classes
    }

    /// Whether a name can be part of benchmark names.
    private static func isName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D }
    }

    fileprivate static func checkWeights(_ weights: [Double], of name: String, at place: JSONPlace) throws(JSONError) {
        guard weights.contains(where: { $0 > 0 }) else {
            throw JSONError(place: place, reason: "every weight of \(name) is 0; give one of them more")
        }
    }
}

extension KeyPattern {
    package init(_ node: JSONNode) throws(JSONError) { try self.init(node, mayMix: true) }

    private init(_ node: JSONNode, mayMix: Bool) throws(JSONError) {
        typealias Bounds = WorkloadPlan.Bounds
        var fields = try JSONFields(node, name: "keys")
        let kinds = ["zipf", "uniform", "hotspot", "scan", "loop", "pages"] + (mayMix ? ["mixture"] : [])
        switch try fields.word("kind", among: kinds) {
        case "zipf": self = .zipf(exponent: try fields.number("exponent", in: Bounds.exponent, default: 0.8))
        case "uniform": self = .uniform
        case "hotspot":
            self = .hotspot(
                fraction: try fields.number("fraction", in: 0...1, default: 0.05),
                share: try fields.number("share", in: 0...1, default: 0.9),
                every: try fields.whole("every", in: Bounds.requests, default: 1_000),
                step: try fields.number("step", in: 0...1, default: 0.1))
        case "scan": self = .scan
        case "loop": self = .loop
        case "pages":
            let fallback = PagePattern()
            let pattern = PagePattern(
                pages: try fields.whole("pages", in: Bounds.pages, default: fallback.pages),
                fewest: try fields.whole("fewest", in: Bounds.pageRequests, default: fallback.fewest),
                most: try fields.whole("most", in: Bounds.pageRequests, default: fallback.most),
                shared: try fields.number("shared", in: 0...1, default: fallback.shared),
                exponent: try fields.number("exponent", in: Bounds.exponent, default: fallback.exponent))
            guard pattern.fewest <= pattern.most else {
                throw JSONError(place: node.place, reason: "keys.fewest is more than keys.most; exchange them")
            }
            self = .pages(pattern)
        default:
            var parts: [MixturePart] = []
            for part in try fields.list("parts", count: Bounds.parts) {
                var fields = try JSONFields(part, name: "keys.parts")
                parts.append(
                    MixturePart(
                        weight: try fields.number("weight", in: Bounds.weight, default: 1),
                        run: try fields.whole("run", in: Bounds.requests, default: 1),
                        keys: try KeyPattern(try fields.required("keys"), mayMix: false)))
                try fields.finish()
            }
            try WorkloadPlan.checkWeights(parts.map(\.weight), of: "keys.parts", at: node.place)
            self = .mixture(parts)
        }
        try fields.finish()
    }
}

extension BodySizes.Distribution {
    package init(_ node: JSONNode) throws(JSONError) {
        typealias Bounds = WorkloadPlan.Bounds
        var fields = try JSONFields(node, name: "sizes")
        switch try fields.word("kind", among: ["constant", "lognormal", "histogram"]) {
        case "constant": self = .constant(try fields.whole("bytes", in: Bounds.bodyBytes))
        case "lognormal":
            let mu = try fields.number("mu", in: -20...40, default: 9.357)
            let sigma = try fields.number("sigma", in: 0...20, default: 1.318)
            let minimum = try fields.whole("minimum", in: Bounds.bodyBytes, default: 64)
            let maximum = try fields.whole("maximum", in: Bounds.bodyBytes, default: 1 << 20)
            guard minimum <= maximum else {
                throw JSONError(place: node.place, reason: "sizes.minimum is more than sizes.maximum; exchange them")
            }
            self = .lognormal(mu: mu, sigma: sigma, minimum: minimum, maximum: maximum)
        default:
            var bins: [SizeBin] = []
            for bin in try fields.list("bins", count: Bounds.bins) {
                var fields = try JSONFields(bin, name: "sizes.bins")
                let from = try fields.whole("from", in: Bounds.bodyBytes)
                let to = try fields.whole("to", in: Bounds.bodyBytes)
                bins.append(
                    SizeBin(from: from, to: to, weight: try fields.number("weight", in: Bounds.weight, default: 1)))
                try fields.finish()
                guard from <= to else {
                    throw JSONError(place: bin.place, reason: "sizes.bins.from is more than .to; exchange them")
                }
            }
            try WorkloadPlan.checkWeights(bins.map(\.weight), of: "sizes.bins", at: node.place)
            self = .histogram(bins)
        }
        try fields.finish()
    }
}

extension HeaderClass {
    package init(_ node: JSONNode) throws(JSONError) {
        let seconds = WorkloadPlan.Bounds.seconds
        self.init()
        var fields = try JSONFields(node, name: "headers")
        weight = try fields.number("weight", in: WorkloadPlan.Bounds.weight, default: 1)
        maxAge = try fields.optionalWhole("max_age", in: seconds)
        staleWhileRevalidate = try fields.optionalWhole("stale_while_revalidate", in: seconds)
        noStore = try fields.flag("no_store")
        noCache = try fields.flag("no_cache")
        mustRevalidate = try fields.flag("must_revalidate")
        immutable = try fields.flag("immutable")
        etag = try fields.flag("etag")
        lastModified = try fields.optionalWhole("last_modified", in: seconds)
        vary = try fields.text("vary", atMost: 64, default: "")
        variants = try fields.whole("variants", in: 1...100, default: 1)
        changesEvery = try fields.optionalWhole("changes_every", in: 1...seconds.upperBound)
        try fields.finish()
        guard Self.isFieldName(vary) else {
            throw JSONError(place: node.place, reason: "headers.vary '\(vary)' is not a name of a request field")
        }
    }

    /// Whether a name has only letters, digits and hyphens, a subset of a token (RFC 9110, section 5.6.2).
    private static func isFieldName(_ name: String) -> Bool {
        name.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x41...0x5A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
        }
    }
}

extension OperationMix {
    package init(_ node: JSONNode) throws(JSONError) {
        let weight = WorkloadPlan.Bounds.weight
        var fields = try JSONFields(node, name: "operations")
        self.init(
            read: try fields.number("read", in: weight, default: 0),
            store: try fields.number("store", in: weight, default: 0),
            remove: try fields.number("remove", in: weight, default: 0))
        try fields.finish()
        try WorkloadPlan.checkWeights([read, store, remove], of: "operations", at: node.place)
    }
}

extension RevisitInterval {
    package init(_ node: JSONNode) throws(JSONError) {
        var fields = try JSONFields(node, name: "revisit")
        let kind = try fields.word("kind", among: ["constant", "exponential"])
        let seconds = try fields.number("seconds", in: WorkloadPlan.Bounds.interval)
        self = kind == "constant" ? .constant(seconds: seconds) : .exponential(seconds: seconds)
        try fields.finish()
    }
}

extension WorkloadPlan {
    /// Reads `KIND,member=value,member=value`: a flat object of a workload file, as written on a command line.
    ///
    /// Values are numbers, `true`, `false`, or texts. Text that begins with `{` or `[` is JSON.
    package static func shorthand(_ text: String) throws(JSONError) -> JSONNode {
        if text.hasPrefix("{") || text.hasPrefix("[") { return try JSONReader.read(Array(text.utf8)) }
        guard text.utf8.count <= JSONReader.longestText else {
            throw JSONError(place: JSONPlace(), reason: "it is longer than \(JSONReader.longestText) bytes")
        }
        var members: [(name: String, value: JSONNode)] = []
        var column = 1
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let place = JSONPlace(line: 1, column: column)
            column += part.utf8.count + 1
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            let name = sides.count == 2 ? sides[0] : "kind"
            guard sides.count == 2 || members.isEmpty else {
                throw JSONError(place: place, reason: "'\(part.prefix(80))' has no '='; write member=value")
            }
            guard !members.contains(where: { $0.name == name }) else {
                throw JSONError(place: place, reason: "'\(name.prefix(80))' appears a second time; keep one of them")
            }
            members.append((name, JSONNode(value: value(sides.last ?? ""), place: place)))
        }
        return JSONNode(value: .object(members), place: JSONPlace())
    }

    private static func value(_ text: String) -> JSONNode.Value {
        if let number = Double(text), number.isFinite { return .number(number) }
        return text == "true" ? .flag(true) : text == "false" ? .flag(false) : .text(text)
    }

    /// Reads several objects in shorthand, separated by semicolons.
    package static func shorthandList(_ text: String) throws(JSONError) -> JSONNode {
        if text.hasPrefix("[") { return try shorthand(text) }
        var nodes: [JSONNode] = []
        for part in text.split(separator: ";", omittingEmptySubsequences: false) {
            nodes.append(try shorthand(String(part)))
        }
        return JSONNode(value: .list(nodes), place: JSONPlace())
    }
}
