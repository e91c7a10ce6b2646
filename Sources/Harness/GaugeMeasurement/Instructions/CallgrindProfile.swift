import Foundation
import GaugeSupport

/// One dump of callgrind: instructions by function, without those of the functions that it calls.
///
/// The format is in valgrind's manual, "Callgrind Format Specification" 1.1. A name is written once with a number
/// (`fn=(3) name`) and later given by the number alone (`fn=(3)`). A line with a position and a cost belongs to the
/// last `fn=`. The line after `calls=` holds the cost of the call, which belongs to the callee.
package struct CallgrindProfile: Equatable {
    /// Instructions by the linked name of the function.
    package private(set) var functions: [String: UInt64] = [:]
    /// The sum over all functions.
    package private(set) var total: UInt64 = 0
    /// System calls, without those that read the clock, which do not enter the kernel outside valgrind. `nil` when they
    /// were not counted.
    package private(set) var systemCalls: UInt64?

    /// - Throws: `GaugeError` for a file that callgrind did not write, or whose first event is not instructions.
    package init(_ text: String) throws {
        var names: [Substring: String] = [:]
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

    /// - Throws: `GaugeError` for a file that cannot be read, or is no profile.
    package init(ofFile path: String) throws {
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw GaugeError("valgrind has written no \(path); its instructions are not counted")
        }
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// The sums at the end of a profile: `totals: 12 1`. Reads only the end of the file.
    ///
    /// - Throws: `GaugeError` for a file that cannot be read, or has no such line.
    package static func totals(ofFile path: String) throws -> (instructions: UInt64, systemCalls: UInt64?) {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw GaugeError("valgrind has written no \(path); its instructions are not counted")
        }
        defer { try? file.close() }
        let end = try file.seekToEnd()
        try file.seek(toOffset: end > 256 ? end - 256 : 0)
        let text = String(decoding: try file.readToEnd() ?? Data(), as: UTF8.self)
        let fields = text.split(separator: "\n").last { $0.hasPrefix("totals: ") }?.dropFirst(8).split(separator: " ")
        guard let fields, let first = fields.first.flatMap({ UInt64($0) }) else {
            throw GaugeError("\(path) is no whole profile; its instructions are not counted")
        }
        // Zero costs at the end of the line are omitted.
        return (first, fields.count > 1 ? UInt64(fields[1]) : 0)
    }

    /// `clock_gettime@@GLIBC_2.17`.
    private static func readsClock(_ function: String) -> Bool {
        let name = function.prefix { $0 != "@" }.drop { $0 == "_" }
        return ["clock_gettime", "gettimeofday", "time"].contains(name)
    }

    private static let startsPosition = Set("0123456789+-*".utf8)

    /// `(3) name` defines a name, `(3)` refers to it.
    private static func name(_ text: Substring, _ names: inout [Substring: String]) -> String {
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
