/// The field lines of a message, and how they are changed.
struct FieldLines {
    enum Side {
        /// Of a request, for a stored response with these lines.
        case request(to: [MessageMaker.Line])
        case response
    }

    var lines: [MessageMaker.Line]

    mutating func change(_ side: Side, with maker: inout MessageMaker) {
        switch maker.below(11) {
        case 0: lines = Self.made(side, with: &maker)
        case 1, 2, 3: addMade(side, with: &maker)
        case 4, 5: replaceByMade(side, with: &maker)
        case 6: if !lines.isEmpty { lines.remove(at: maker.below(lines.count)) }
        case 7: if !lines.isEmpty { lines.insert(maker.pick(lines), at: maker.below(lines.count + 1)) }
        case 8, 9: changeNumber(with: &maker)
        default:
            guard !lines.isEmpty else { return addMade(side, with: &maker) }
            // Damage is rare, since the fuzzer's own mutations damage everything.
            maker.damage(&lines[maker.below(lines.count)])
        }
    }

    private static func made(_ side: Side, with maker: inout MessageMaker) -> [MessageMaker.Line] {
        switch side {
        case .request(let response): maker.fields(about: response)
        case .response: maker.response()
        }
    }

    private mutating func addMade(_ side: Side, with maker: inout MessageMaker) {
        let made = Self.made(side, with: &maker)
        guard !made.isEmpty else { return }
        lines.insert(maker.pick(made), at: maker.below(lines.count + 1))
    }

    /// Takes another value for a field, if one of a few made messages has it.
    private mutating func replaceByMade(_ side: Side, with maker: inout MessageMaker) {
        guard !lines.isEmpty else { return addMade(side, with: &maker) }
        let place = maker.below(lines.count)
        let name = MessageMaker.name(of: lines[place])
        for _ in 0..<4 {
            let made = Self.made(side, with: &maker)
            guard let line = made.first(where: { MessageMaker.name(of: $0) == name }) else { continue }
            return lines[place] = line
        }
        addMade(side, with: &maker)
    }

    /// Changes one of the digits, or takes a number of another line, so that two are equal.
    private mutating func changeNumber(with maker: inout MessageMaker) {
        guard !lines.isEmpty else { return }
        let place = maker.below(lines.count)
        let line = lines[place]
        let digits = line.indices.filter { 0x30...0x39 ~= line[$0] }
        guard !digits.isEmpty else { return }
        let at = maker.pick(digits)
        guard maker.chance(50) else { return lines[place][at] = UInt8(0x30 + maker.below(10)) }
        let start = line[..<at].lastIndex { !(0x30...0x39 ~= $0) }.map { $0 + 1 } ?? 0
        let end = line[at...].firstIndex { !(0x30...0x39 ~= $0) } ?? line.endIndex
        let number = maker.pick(MessageMaker.numbers(in: lines) + [0, 1, 1 << 31, 60])
        lines[place].replaceSubrange(start..<end, with: Array("\(max(0, number + maker.pick([0, 0, 1, -1])))".utf8))
    }
}
