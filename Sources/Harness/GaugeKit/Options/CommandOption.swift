/// One option of a command, whatever the type of its value.
protocol AnyOption: Sendable {
    /// Without the leading `--`.
    var name: String { get }
    /// The value's name in the help, such as `SIZE`; `nil` for a flag, which has no value.
    var placeholder: String? { get }
    /// One line, with the default if there is one.
    var help: String { get }
    /// Converts the text of the value; the error needn't name the option.
    func value(of text: String) throws(UsageError) -> any Sendable
}

extension AnyOption {
    var usage: String { placeholder.map { "--\(name) \($0)" } ?? "--\(name)" }
}

/// One option of a command: name, meaning, and accepted values, for both parsing and help.
struct CommandOption<Value: Sendable>: AnyOption {
    let name: String
    let placeholder: String?
    let help: String
    private let parse: @Sendable (String) throws(UsageError) -> Value

    init(
        _ name: String, _ placeholder: String?, help: String,
        parse: @escaping @Sendable (String) throws(UsageError) -> Value
    ) {
        (self.name, self.placeholder, self.help, self.parse) = (name, placeholder, help, parse)
    }

    func value(of text: String) throws(UsageError) -> any Sendable { try parse(text) }
}

extension CommandOption where Value == String {
    static func text(_ name: String, _ placeholder: String, help: String) -> Self {
        Self(name, placeholder, help: help) { (text) throws(UsageError) in text }
    }
}

extension CommandOption where Value == Bool {
    static func flag(_ name: String, help: String) -> Self {
        Self(name, nil, help: help) { (_) throws(UsageError) in true }
    }
}

extension CommandOption where Value == ByteSize {
    static func size(_ name: String, help: String) -> Self {
        Self(name, "SIZE", help: help) { (text) throws(UsageError) in try ByteSize(text) }
    }
}

extension CommandOption where Value == Int {
    static func whole(_ name: String, _ placeholder: String = "N", in range: ClosedRange<Int>, help: String)
        -> Self
    {
        Self(name, placeholder, help: help) { (text) throws(UsageError) in
            guard let number = Int(text), range.contains(number) else {
                throw UsageError("'\(text)' is not a whole number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }
}

extension CommandOption where Value == Double {
    /// A decimal number in a range: `2`, `0.5`.
    static func number(
        _ name: String, _ placeholder: String = "N", in range: ClosedRange<Double>, help: String
    ) -> Self {
        Self(name, placeholder, help: help) { (text) throws(UsageError) in
            guard let number = Double(text), range.contains(number) else {
                throw UsageError("'\(text)' is not a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return number
        }
    }

    /// A percentage with or without the sign: `1%`, `0.5`. Its value is the part: 0.01, 0.005.
    static func percent(_ name: String, in range: ClosedRange<Double>, help: String) -> Self {
        Self(name, "PERCENT", help: help) { (text) throws(UsageError) in
            let digits = text.hasSuffix("%") ? text.dropLast() : Substring(text)
            guard let number = Double(digits), range.contains(number) else {
                throw UsageError("'\(text)' is not from \(range.lowerBound)% to \(range.upperBound)%")
            }
            return number / 100
        }
    }
}

extension CommandOption where Value == UInt64 {
    /// A seed: any 64-bit number.
    static func seed(_ name: String, help: String) -> Self {
        Self(name, "N", help: help) { (text) throws(UsageError) in
            guard let number = UInt64(text) else {
                throw UsageError("'\(text)' is not a whole number from 0 to \(UInt64.max)")
            }
            return number
        }
    }
}

extension CommandOption where Value: RawRepresentable & CaseIterable, Value.RawValue == String {
    /// One of a fixed set of words.
    static func choice(_ name: String, _ placeholder: String? = nil, help: String) -> Self {
        let words = Value.allCases.map(\.rawValue)
        let title = placeholder ?? words.joined(separator: "|")
        return Self(name, title, help: help) { (text) throws(UsageError) in
            guard let value = Value(rawValue: text) else {
                throw UsageError(
                    "'\(text)' is unknown\(NearNames.question(text, among: words)); "
                        + "the choice is \(words.joined(separator: ", "))")
            }
            return value
        }
    }
}

enum ReportFormat: String, CaseIterable, Sendable {
    /// An aligned table for people.
    case text
    /// JSON for other programs.
    case json
}

/// Options shared by several commands, with the same meaning everywhere.
enum CommonOptions {
    static let memory = CommandOption.size(
        "memory", help: "capacity of the memory tier; 4MiB by default, 0 disables it")
    static let disk = CommandOption.size("disk", help: "capacity of the disk tier; 20MiB by default, 0 disables it")
    static let directory = CommandOption.text(
        "directory", "DIR", help: "where disk tiers live while they are measured; a new temporary one by default")
    static let policy = CommandOption<SubjectEvictionPolicy>.choice(
        "policy", help: "eviction policy of the cache; lru by default")
    static let seed = CommandOption.seed("seed", help: "seed of all pseudo-random choices; 1 by default")
    static let format = CommandOption<ReportFormat>.choice(
        "format", help: "a table for people, or JSON for programs; text by default")

    /// Printed below the options of every command that takes a size.
    static let sizeNote = "SIZE is a whole number and a unit: B, KB or KiB, MB or MiB, GB or GiB, all powers of 1024."
}
