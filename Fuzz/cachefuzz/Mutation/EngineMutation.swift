/// Changes scripts as ``EngineScript`` reads them.
struct EngineMutation: StructuredMutation {
    private var maker: MessageMaker

    init(seed: UInt32) { maker = MessageMaker(seed: seed) }

    private struct Step {
        var words: [String]
        var fields = FieldLines(lines: [])

        init(_ text: String, _ lines: [MessageMaker.Line] = []) {
            words = text.split(separator: " ").map(String.init)
            fields.lines = lines
        }

        var isOrigin: Bool { words.first == "<" }
        var isRequest: Bool { words.first.map { [">", ")", "]"].contains($0) } ?? false }
        var lines: [MessageMaker.Line] { [Array(words.joined(separator: " ").utf8)] + fields.lines }
    }

    private static let kinds: Set = ["<", ">", ")", "]", "!", "?", "+", "x", "~"]

    private static func steps(_ bytes: [UInt8]) -> [Step] {
        var steps: [Step] = []
        for line in bytes.split(separator: 0x0A) {
            let text = String(decoding: line, as: UTF8.self)
            if kinds.contains(text.split(separator: " ").first.map(String.init) ?? "") {
                steps.append(Step(text))
            } else if line.contains(0x3A), !steps.isEmpty {
                steps[steps.count - 1].fields.lines.append(Array(line))
            }
        }
        return steps
    }

    private static func bytes(_ steps: [Step], limit: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        for line in steps.flatMap(\.lines) where bytes.count + line.count < limit { bytes += line + [0x0A] }
        return bytes
    }

    mutating func change(_ bytes: [UInt8], limit: Int) -> [UInt8] {
        var steps = Self.steps(bytes)
        for _ in 0...maker.below(3) { changeOnce(&steps) }
        return Self.bytes(Array(steps.prefix(EngineScript.longest)), limit: limit)
    }

    mutating func join(_ one: [UInt8], _ other: [UInt8], limit: Int) -> [UInt8] {
        let (one, other) = (Self.steps(one), Self.steps(other))
        let joined = one.prefix(maker.below(one.count + 1)) + other.dropFirst(maker.below(other.count + 1))
        return Self.bytes(Array(joined.prefix(EngineScript.longest)), limit: limit)
    }

    private mutating func changeOnce(_ steps: inout [Step]) {
        guard !steps.isEmpty else { return steps = story() }
        let place = maker.below(steps.count)
        switch maker.below(12) {
        case 0: steps.insert(contentsOf: story(), at: place)
        case 1: steps = story()
        case 2: steps.removeSubrange(place..<min(steps.count, place + 1 + maker.below(3)))
        case 3:
            let copied = steps[place..<min(steps.count, place + 1 + maker.below(4))]
            steps.insert(contentsOf: Array(copied), at: maker.below(steps.count + 1))
        case 4: steps.swapAt(place, maker.below(steps.count))
        case 5: steps.insert(contentsOf: [wait(steps)], at: place)
        case 6: steps.insert(request(about: steps), at: place)
        case 7, 8, 9: changeFields(of: place, &steps)
        default: changeWords(&steps[place])
        }
    }

    private mutating func changeFields(of place: Int, _ steps: inout [Step]) {
        if steps[place].isOrigin { return steps[place].fields.change(.response, with: &maker) }
        guard steps[place].isRequest else { return changeWords(&steps[place]) }
        let response = steps[..<place].last(where: \.isOrigin)?.fields.lines ?? []
        steps[place].fields.change(.request(to: response), with: &maker)
    }

    private mutating func changeWords(_ step: inout Step) {
        if step.isOrigin { return step.words = origin([]).words }
        if step.isRequest {
            switch maker.below(4) {
            case 0: step.words[0] = maker.pick([">", ")", "]"])
            default: step.words = [step.words[0]] + request(about: []).words.dropFirst()
            }
            return
        }
        step = Step(maker.pick(["!", "? 0", "? 1", "x 0", "x 1", "~", "~ 0", "~ 1", "+ 1", "+ 60"]))
    }

    // MARK: Steps

    private mutating func origin(_ fields: [MessageMaker.Line], _ status: Int? = nil, mode: String? = nil) -> Step {
        let status =
            status ?? (maker.chance(60) ? 200 : maker.pick([201, 204, 206, 301, 304, 404, 410, 416, 500, 503]))
        let mode = mode ?? maker.pick(["w", "w", "w", "v", "v", "b", "n", "l", "e", "ev"])
        return Step("< \(status) \(mode) \(maker.pick([0, 0, 0, 1, 5, 30]))", fields)
    }

    private mutating func request(about steps: [Step], plain: Bool = false) -> Step {
        let response = steps.last(where: \.isOrigin)?.fields.lines ?? []
        let method = maker.chance(80) ? "GET" : maker.pick(["HEAD", "POST", "OPTIONS", "DELETE"])
        let policy = maker.chance(80) ? 0 : maker.below(6)
        let fields = plain || maker.chance(40) ? [] : maker.fields(about: response)
        return Step("\(maker.chance(85) ? ">" : ")") \(method) \(policy) \(maker.below(2))", fields)
    }

    /// A step of time to one of the lifetimes or limits in the fields, give or take a second.
    private mutating func wait(_ steps: [Step]) -> Step {
        let number = maker.pick(MessageMaker.numbers(in: steps.flatMap(\.fields.lines)).filter { $0 < 100_000 } + [60])
        return Step("+ \(max(0, number + maker.pick([0, 0, 1, -1])))")
    }

    /// Steps that belong together: something is stored, and then asked for, confirmed, outdated or missed.
    private mutating func story() -> [Step] {
        let fields = storable()
        let get = Step("> GET 0 0")
        switch maker.below(9) {
        case 0: return [origin(fields, 200), get, Step("> GET 0 0", maker.fields(about: fields))]
        case 1:
            var steps = [origin(fields, 200), get]
            steps.append(wait(steps))
            return steps + [Step("> GET 0 0", maker.fields(about: fields)), get]
        case 2:
            var steps = [origin(fields, 200, mode: maker.pick(["v", "w", "ev"])), get]
            steps.append(wait(steps))
            return steps + [origin(maker.response(), maker.pick([304, 304, 200, 503]), mode: "w"), get, get]
        case 3:
            let asked = { (maker: inout MessageMaker) in Step(") GET 0 0", maker.fields(about: fields)) }
            let disturbance = Step(maker.pick(["~ 0", "~", "? 0", "x 0", "+ 1", ") POST 0 0"]))
            return [origin(fields, 200), asked(&maker), asked(&maker), disturbance, Step("!"), get]
        case 4:
            let unsafe = Step("> \(maker.pick(["POST", "DELETE"])) 0 1")
            return [origin(fields, 200), get, Step("> GET 0 1"), origin([maker.place()], 201), unsafe, get]
        case 5: return parts()
        case 6:
            let head = Step("> HEAD \(maker.pick([1, 1, 0, 5])) 0")
            return [origin(fields, 200), get, origin(fields + maker.response(), 200), head, get, get]
        case 7:
            var steps = [origin(fields + [Self.failing], 200), get]
            steps.append(wait(steps))
            return steps + [origin([], 503, mode: maker.pick(["w", "n"])), get]
        default:
            // No byte of an empty body can be selected.
            let range = Step(
                "> GET 0 0", [MessageMaker.line("Range", maker.pick(["bytes=0-", "bytes=-1", "bytes=-0"]))])
            return [origin(fields, 200, mode: "e"), get, range, range]
        }
    }

    private mutating func storable() -> [MessageMaker.Line] {
        var fields = maker.response()
        if maker.chance(70) { fields.insert(MessageMaker.line("Cache-Control", "max-age=60"), at: 0) }
        if maker.chance(50) { fields.insert(MessageMaker.line("ETag", maker.pick(["\"a\"", "W/\"a\""])), at: 0) }
        return fields
    }

    /// Parts of a representation under one validator or two, and requests for what is known of it.
    private mutating func parts() -> [Step] {
        var steps: [Step] = []
        for range in [maker.pick(["0-3", "4-7", "0-7"]), maker.pick(["4-7", "2-5", "7-7"])] {
            let fields = [
                "Content-Range: bytes \(range)/8", "Cache-Control: max-age=60", "ETag: \"\(maker.below(2))\"",
            ]
            let asked = maker.chance(80) ? [Array("Range: bytes=\(range)".utf8)] : []
            steps += [origin(fields.map { Array($0.utf8) }, 206, mode: "w"), Step("> GET 0 0", asked)]
        }
        return steps + [Step("> GET 0 0", [Array("Range: bytes=0-1".utf8)]), Step("> GET 0 0")]
    }

    private static let failing = MessageMaker.line("Cache-Control", "stale-if-error=30, stale-while-revalidate=10")
}
