import GaugeTraces

/// URLs that a cache may confuse if it hashes, shortens or compares them carelessly.
enum ModelKeys {
    /// `count` different URLs of one kind.
    ///
    /// - Parameter kind: 0 for short URLs, `nil` for a random kind.
    static func requests(_ count: Int, _ kind: Int?, _ random: inout Xoshiro256) -> [SubjectRequest] {
        let kind = kind ?? random.whole(kinds.count)
        let base = random.next(below: 1 << 32)
        return (0..<count).map { SubjectRequest(kinds[kind](base, $0)) }
    }

    /// Two URLs of each kind.
    static var pairs: [(SubjectRequest, SubjectRequest)] {
        kinds.map { (SubjectRequest($0(7, 0)), SubjectRequest($0(7, 1))) }
    }

    static let kinds: [@Sendable (UInt64, Int) -> String] = [
        { base, number in "https://a.example/\(base)/\(number)" },
        // The difference lies behind what a short buffer or a file name holds.
        { base, number in "https://a.example/\(String(repeating: "long/", count: 60))\(base)/\(number)" },
        // As long as many buffers; RFC 9110, 4.1, asks for 8,000 octets.
        { base, number in "https://a.example/\(String(repeating: "longer/", count: 600))\(base)/\(number)" },
        // The difference comes before an equal end.
        { base, number in "https://h\(number).example/\(base)/\(String(repeating: "end", count: 40))" },
        { base, number in "https://a.example/\(base)?v=\(number)" },
        // Each is the beginning of another.
        { base, number in "https://a.example/\(base)/\(String(repeating: "a", count: number % 200 + 1))\(number / 200)"
        },
        // The same letters in another order, with equal sums and exclusive ors.
        { base, number in "https://a.example/\(base)/\(shuffled(number))" },
        { base, number in "https://a.example:\(8_000 + number % 50_000)/\(base)/\(number / 50_000)" },
        // Only the case of letters differs.
        { base, number in "https://a.example/\(base)/\(cased(number % 512))?name=\(cased(number / 512))" },
        // The same parameters in another order.
        { base, number in
            "https://a.example/\(base)?" + shuffled(number).map { "\($0)=1" }.joined(separator: "&")
        },
        // The same letters with other signs between them, which file names often replace by one.
        { base, number in "https://a.example/\(base)/\(separated(number))" },
        // Signs with a meaning in index lines, patterns and paths.
        { base, number in
            "https://a.example/\(base);v=\(number)/\(separated(number, signs: [",", ";", ":", "'", "*", "=", "~"]))"
        },
        // Numbers of one value.
        { base, number in
            "https://a.example/\(base)?v=\(String(repeating: "0", count: number % 200))1&w=\(number / 200)"
        },
        // Polynomials in 31 and 33 have the same values for both words.
        { base, number in "https://a.example/\(base)/\(spelled(number, "Aa", "BB"))" },
        { base, number in "https://a.example/\(base)/\(spelled(number, "Ab", "BA"))" },
        // The difference lies between equal ends, away from the middle with most bases: some hashes read only parts.
        { base, number in
            let (before, digits) = (8 + Int(base % 24), String(number))
            let padded = String(repeating: "0", count: 8 - digits.count) + digits
            return "https://a.example/\(base)/\(String(repeating: "segment/", count: before))\(padded)"
                + String(repeating: "/segment", count: 40 - before)
        },
    ]

    /// Nine letters, capital where a bit of the number is 1.
    private static func cased(_ number: Int) -> String {
        String("abcdefghi".enumerated().map { number >> $0 & 1 == 1 ? Character($1.uppercased()) : $1 })
    }

    /// Seven letters with six signs between them, one for each digit of the number.
    private static func separated(_ number: Int, signs: [String] = ["/", "_", "-", ".", "+", "%2F", "%5F"]) -> String {
        var (text, rest) = ("a", number)
        for letter in "bcdefg" {
            text += signs[rest % signs.count] + String(letter)
            rest /= signs.count
        }
        return text
    }

    /// A word for each of 18 bits of the number.
    private static func spelled(_ number: Int, _ zero: String, _ one: String) -> String {
        (0..<18).map { number >> $0 & 1 == 1 ? one : zero }.joined()
    }

    /// The permutation of twelve letters with this number.
    private static func shuffled(_ number: Int) -> String {
        var letters = Array("abcdefghijkl")
        var (text, rest) = ("", number)
        while !letters.isEmpty {
            text.append(letters.remove(at: rest % letters.count))
            rest /= letters.count + 1
        }
        return text
    }
}
