import Foundation
import GaugeSupport

/// One dump of callgrind: instructions by function, without its callees'.
///
/// The format is in valgrind's manual, "Callgrind Format Specification" 1.1. A name is written once with a number
/// (`fn=(3) name`) and later given by the number alone (`fn=(3)`). A line with a position and a cost belongs to the
/// last `fn=`. The line after `calls=` holds the cost of the call, which belongs to the callee.
package struct CallgrindProfile: Equatable {
    /// Instructions by the linked name of the function.
    package private(set) var functions: [String: UInt64] = [:]
    package private(set) var total: UInt64 = 0
    /// System calls, except those that read the clock, which don't enter the kernel outside valgrind; `nil` if not
    /// counted.
    package private(set) var systemCalls: UInt64?

    /// - Throws: `GaugeError` if callgrind didn't write the text, or its first event isn't instructions.
    package init(_ text: String) throws {
        var names: [Substring: String] = [:]
        try self.init(text, names: &names)
    }

    /// - Parameter names: those defined before; the text adds more.
    fileprivate init(_ text: String, names: inout [Substring: String]) throws {
        var function: String?
        var isCall = false
        var isKnown = false
        var systemCallField: Int?
        for line in text.split(separator: "\n") {
            if line.hasPrefix("events: ") {
                let events = line.dropFirst(8).split(separator: " ")
                guard events.first == "Ir" else {
                    throw GaugeError("callgrind has counted \(line.dropFirst(8)), and not instructions")
                }
                if let index = events.firstIndex(of: "sysCount") {
                    systemCallField = index + 1
                    systemCalls = 0
                }
                isKnown = true
            } else if line.hasPrefix("fn=") {
                function = Self.name(line.dropFirst(3), &names)
            } else if line.hasPrefix("cfn=") {
                _ = Self.name(line.dropFirst(4), &names)
            } else if line.hasPrefix("calls=") {
                isCall = true
            } else if let function, line.utf8.first.map(Self.startsPosition.contains) == true {
                // `+3 12`: a line number, absolute or relative to the previous one, and a cost.
                let fields = line.split(separator: " ")
                if !isCall, fields.count >= 2, let cost = UInt64(fields[1]) {
                    functions[function, default: 0] &+= cost
                    total &+= cost
                    // Zero costs at the end of a line are omitted.
                    if let field = systemCallField, field < fields.count, let calls = UInt64(fields[field]),
                        !Self.readsClock(function)
                    {
                        systemCalls? &+= calls
                    }
                }
                isCall = false
            }
        }
        guard isKnown else { throw GaugeError("valgrind has written no profile; see its output") }
    }

    /// `clock_gettime@@GLIBC_2.17`.
    private static func readsClock(_ function: String) -> Bool {
        let name = function.prefix { $0 != "@" }.drop { $0 == "_" }
        return ["clock_gettime", "gettimeofday", "time"].contains(name)
    }

    private static let startsPosition = Set("0123456789+-*".utf8)

    /// `(3) name` defines a name, `(3)` refers to it.
    fileprivate static func name(_ text: Substring, _ names: inout [Substring: String]) -> String {
        guard text.hasPrefix("("), let end = text.firstIndex(of: ")") else { return String(text) }
        let number = text[...end]
        let name = text[text.index(after: end)...].drop { $0 == " " }
        // Callgrind writes recursion as name'2, name'3; count it as one function.
        guard !name.isEmpty else { return names[number] ?? String(number) }
        let plain = name.firstIndex(of: "'").map { name[..<$0] } ?? name
        names[number] = String(plain)
        return String(plain)
    }
}

/// The dumps of one process, which callgrind appends to one file: thousands of files would take longer than counting.
///
/// A name defined in one dump is known in all later ones. Only the first has the header with the events.
package struct CallgrindDumps {
    private let bytes: [UInt8]
    private var events = ""
    private var names: [Substring: String] = [:]
    private var parts: [Part] = []

    private struct Part {
        var range: Range<Int>
        /// What `totals: 12 1` says.
        var totals: (instructions: UInt64, systemCalls: UInt64)?
    }

    /// - Throws: `GaugeError` for a file that can't be read.
    package init(ofFile path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw GaugeError("valgrind has written no \(path); its instructions are not counted")
        }
        self.init([UInt8](data))
    }

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
        var start = 0
        while start < bytes.count {
            let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
            note(start..<end)
            start = end + 1
        }
        if let last = parts.indices.last { parts[last].range = parts[last].range.lowerBound..<bytes.count }
    }

    /// Most lines are costs, and nothing needs noting.
    private mutating func note(_ line: Range<Int>) {
        func text(after prefix: String) -> Substring? {
            guard bytes[line].starts(with: prefix.utf8) else { return nil }
            return Substring(decoding: bytes[line].dropFirst(prefix.utf8.count), as: UTF8.self)
        }
        switch line.isEmpty ? 0 : bytes[line.lowerBound] {
        case UInt8(ascii: "f"): if let name = text(after: "fn=") { _ = CallgrindProfile.name(name, &names) }
        case UInt8(ascii: "c"): if let name = text(after: "cfn=") { _ = CallgrindProfile.name(name, &names) }
        case UInt8(ascii: "e"): if let events = text(after: "events: ") { self.events = "events: \(events)\n" }
        case UInt8(ascii: "p"):
            guard text(after: "part: ") != nil else { return }
            if let last = parts.indices.last { parts[last].range = parts[last].range.lowerBound..<line.lowerBound }
            parts.append(Part(range: line))
        // A line cut by the end of the file says less.
        case UInt8(ascii: "t") where line.upperBound < bytes.count:
            guard let sums = text(after: "totals: ")?.split(separator: " ").map({ UInt64($0) }),
                let last = parts.indices.last,
                let instructions = sums.first ?? nil
            else { return }
            // Zero costs at the end of the line are omitted.
            parts[last].totals = (instructions, (sums.count > 1 ? sums[1] : 0) ?? 0)
        default: break
        }
    }

    /// The sums of a dump.
    ///
    /// - Parameter number: from 1.
    /// - Throws: `GaugeError` if the dump is missing or cut.
    package func totals(_ number: Int) throws -> (instructions: UInt64, systemCalls: UInt64?) {
        guard let totals = try part(number).totals else {
            throw GaugeError("dump \(number) of callgrind is not whole; its instructions are not counted")
        }
        return totals
    }

    /// - Throws: as `totals`.
    package func profile(_ number: Int) throws -> CallgrindProfile {
        var names = names
        let own = try part(number).range
        return try CallgrindProfile(events + String(decoding: bytes[own], as: UTF8.self), names: &names)
    }

    private func part(_ number: Int) throws -> Part {
        guard parts.indices.contains(number - 1) else {
            throw GaugeError("valgrind has written \(parts.count) dumps and not \(number); see its output")
        }
        return parts[number - 1]
    }
}
