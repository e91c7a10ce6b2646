extension JSONModel {
    var childCount: Int {
        switch self {
        case .object(let members): members.count
        case .array(let elements): elements.count
        case .string, .number, .word: 0
        }
    }

    mutating func replace(_ index: Int, by value: JSONModel) {
        switch self {
        case .object(var members):
            members[index].value = value
            self = .object(members)
        case .array(var elements):
            elements[index] = value
            self = .array(elements)
        case .string, .number, .word: break
        }
    }

    mutating func remove(_ index: Int) {
        switch self {
        case .object(var members):
            members.remove(at: index)
            self = .object(members)
        case .array(var elements):
            elements.remove(at: index)
            self = .array(elements)
        case .string, .number, .word: break
        }
    }

    mutating func removeLast() { remove(childCount - 1) }

    mutating func copy(_ index: Int, to other: Int) {
        switch self {
        case .object(var members):
            members.insert(members[index], at: other)
            self = .object(members)
        case .array(var elements):
            elements.insert(elements[index], at: other)
            self = .array(elements)
        case .string, .number, .word: break
        }
    }

    mutating func swap(_ one: Int, _ other: Int) {
        switch self {
        case .object(var members):
            members.swapAt(one, other)
            self = .object(members)
        case .array(var elements):
            elements.swapAt(one, other)
            self = .array(elements)
        case .string, .number, .word: break
        }
    }

    /// Adds the members or elements of another one.
    mutating func merge(_ other: JSONModel) {
        switch (self, other) {
        case (.object(let one), .object(let two)): self = .object(one + two)
        case (.array(let one), .array(let two)): self = .array(one + two)
        case (.array(let one), _): self = .array(one + [other])
        default: self = other
        }
    }

    var text: [UInt8] {
        switch self {
        case .object(let members):
            Array("{".utf8)
                + members.map { Self.quoted($0.name) + [0x3A] + $0.value.text }.joined(separator: [0x2C])
                + Array("}".utf8)
        case .array(let elements): Array("[".utf8) + elements.map(\.text).joined(separator: [0x2C]) + Array("]".utf8)
        case .string(let text): Self.quoted(text)
        case .number(let digits): digits
        case .word(let word): word
        }
    }

    private static func quoted(_ text: [UInt8]) -> [UInt8] {
        var quoted: [UInt8] = [0x22]
        for byte in text {
            switch byte {
            case 0x22, 0x5C: quoted += [0x5C, byte]
            case 0..<0x20: quoted += Array("\\u00\(byte < 16 ? "0" : "")\(String(byte, radix: 16))".utf8)
            default: quoted.append(byte)
            }
        }
        return quoted + [0x22]
    }
}

// Short forms for documents that are made.
extension JSONModel {
    // Not kept: LeakSanitizer does not find what only an indirect case points to.
    static var null: JSONModel { .word(Array("null".utf8)) }

    static func flag(_ flag: Bool) -> JSONModel { .word(Array("\(flag)".utf8)) }

    static func text(_ text: String) -> JSONModel { .string(Array(text.utf8)) }

    static func digits(_ digits: String) -> JSONModel { .number(Array(digits.utf8)) }

    static func whole(_ number: Int) -> JSONModel { .digits("\(number)") }

    /// An object; `nil` leaves a member out.
    static func made(_ members: KeyValuePairs<String, JSONModel?>) -> JSONModel {
        .object(members.compactMap { name, value in value.map { (Array(name.utf8), $0) } })
    }
}
