/// The source of `CacheControlTable.swift`, generated from the declarations in `CacheControl.swift`.
///
/// A declaration counts if the first word of its doc comment is the directive's name between backquotes:
///
///     /// `no-store`: neither tier may keep the message.
///     @inlinable package static var noStore: Self { Self(rawValue: 1 << 0) }
///
///     /// `max-age`.
///     package var maxAge: DeltaSeconds = .absent
struct DirectiveTable {
    /// A directive that sets a bit.
    struct Flag {
        var name: String
        var property: String
        var bit: Int
    }

    /// A directive with a number of seconds.
    struct Number {
        var name: String
        var property: String
    }

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The number of names for which the table has room.
    static let room = 32
    private static let slotBits = 6
    private static let longestName = 24

    var flags: [Flag] = []
    var numbers: [Number] = []
    /// Properties whose doc comment does not begin with a name.
    var unnamed: [String] = []

    /// Reads the declarations.
    init(declarations source: String) {
        var name: String?
        for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("///") {
                if name == nil { name = code.firstMatch(of: #/^/// `([a-z-]+)`/#).map { String($0.1) } ?? "" }
                continue
            }
            if let flag = code.firstMatch(of: #/static var `?(\w+)`?: Self \{ Self\(rawValue: 1 << (\d+)\)/#) {
                flags.append(Flag(name: name ?? "", property: String(flag.1), bit: Int(flag.2) ?? 0))
            } else if let number = code.firstMatch(of: #/var (\w+): DeltaSeconds = /#) {
                numbers.append(Number(name: name ?? "", property: String(number.1)))
            }
            name = nil
        }
        unnamed = flags.filter { $0.name.isEmpty }.map(\.property) + numbers.filter { $0.name.isEmpty }.map(\.property)
        flags.removeAll { $0.name.isEmpty }
        numbers.removeAll { $0.name.isEmpty }
    }

    /// The names in the table with the words of their slots: three for the name, and one for the effect.
    private var entries: [(name: String, words: [UInt64])] {
        let withNumber = Set(numbers.map(\.name))
        // `max-stale` is a number that may be missing.
        let bare = flags.filter { !withNumber.contains($0.name) }
        return bare.map { ($0.name, Self.words(of: $0.name) + [1 << UInt64($0.bit)]) }
            + numbers.enumerated().map { ($1.name, Self.words(of: $1.name) + [UInt64($0 + 1) << 32]) }
    }

    /// The whole file.
    func source() throws -> String {
        let entries = entries
        guard entries.count <= Self.room else {
            throw Failure(description: "\(entries.count) directives exceed \(Self.room); raise `room` and `slotBits`")
        }
        if let long = entries.first(where: { $0.name.utf8.count > Self.longestName }) {
            throw Failure(
                description: "\(long.name) exceeds \(Self.longestName) bytes; let the reader compare a fourth word")
        }
        let multiplier = try Self.multiplier(entries.map { $0.words[0] })
        var slots = [String](repeating: "        0, 0, 0, 0,", count: 1 << Self.slotBits)
        for (name, words) in entries {
            slots[Self.slot(words[0], multiplier)] =
                "        " + words.map(Self.hex).joined(separator: ", ") + ",  // \(name)"
        }
        let values = numbers.indices.map { "values.\($0)" }
        let places = numbers.enumerated().map { "    static let \($1.property) = \($0)" }
        let initial = numbers.map { "control.\($0.property)" }
        let assigned = zip(numbers, values).map { "        control.\($0.property) = \($1)" }
        let flagPairs = flags.map { "(\"\($0.name)\", directives.contains(.\($0.property)))" }
        let numberPairs = numbers.map { "(\"\($0.name)\", \($0.property))" }
        return """
            // Generated from CacheControl.swift by the script generate-directives. Do not edit.
            // swift-format-ignore-file

            /// The names of the directives, in slots of four words: the name's 24 bytes, and its `CacheControlDirective`.
            enum CacheControlTable {
                static let multiplier: UInt64 = \(Self.hex(multiplier))
                static let shift: UInt64 = \(64 - Self.slotBits)

                static let words: [UInt64] = [
            \(slots.joined(separator: "\n"))
                ]
            }

            /// The directives with a number, each at the place that `CacheControlDirective.number` gives.
            struct CacheControlNumbers {
                var values: (\(numbers.map { _ in "DeltaSeconds" }.joined(separator: ", ")))

            \(places.joined(separator: "\n"))

                @inline(__always)
                init(_ control: CacheControl) {
                    values = (
                        \(initial.joined(separator: ",\n            "))
                    )
                }

                /// Copies the numbers to their properties.
                @inline(__always)
                func assign(to control: inout CacheControl) {
            \(assigned.joined(separator: "\n"))
                }
            }

            extension CacheControl {
                /// Every directive without a number, and whether it is set.
                package var flagsByName: [(name: String, isSet: Bool)] {
                    [
                        \(flagPairs.joined(separator: ",\n            "))
                    ]
                }

                /// Every directive with a number.
                package var numbersByName: [(name: String, seconds: DeltaSeconds)] {
                    [
                        \(numberPairs.joined(separator: ",\n            "))
                    ]
                }
            }

            """
    }

    /// A multiplier under which no two words share a slot.
    static func multiplier(_ words: [UInt64]) throws -> UInt64 {
        guard Set(words).count == words.count else {
            throw Failure(description: "two directives begin with the same eight bytes; hash the second word too")
        }
        var state: UInt64 = 0
        for _ in 0..<10_000_000 {
            // SplitMix64.
            state &+= 0x9E37_79B9_7F4A_7C15
            var candidate = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
            candidate = (candidate ^ candidate >> 27) &* 0x94D0_49BB_1331_11EB
            candidate = candidate ^ candidate >> 31 | 1
            var taken: UInt64 = 0
            let isFree = words.allSatisfy { word in
                let bit: UInt64 = 1 << UInt64(slot(word, candidate))
                defer { taken |= bit }
                return taken & bit == 0
            }
            if isFree { return candidate }
        }
        throw Failure(description: "no multiplier separates \(words.count) names; raise `slotBits`")
    }

    private static func slot(_ word: UInt64, _ multiplier: UInt64) -> Int {
        Int((word &* multiplier) >> UInt64(64 - slotBits))
    }

    /// A name as three words, its first byte in the lowest lane.
    static func words(of name: String) -> [UInt64] {
        var words: [UInt64] = [0, 0, 0]
        for (place, byte) in name.utf8.prefix(longestName).enumerated() {
            words[place / 8] |= UInt64(byte) << UInt64(place % 8 * 8)
        }
        return words
    }

    private static func hex(_ word: UInt64) -> String {
        guard word != 0 else { return "0" }
        let digits = String(word, radix: 16, uppercase: true)
        let padded = String(repeating: "0", count: 16 - digits.count) + digits
        return "0x"
            + stride(from: 0, to: 16, by: 4).map { String(padded.dropFirst($0).prefix(4)) }.joined(separator: "_")
    }
}
