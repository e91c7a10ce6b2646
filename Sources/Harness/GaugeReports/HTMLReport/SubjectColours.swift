/// Gives each subject one colour for the whole page. The most frequent come first, and equally frequent ones in the order
/// of first appearance, so that only rare ones share a colour, and never with the first six.
package struct SubjectColours {
    /// The number of colours in the page's style. Subjects beyond it share one, and have other dashes.
    package static let count = 12

    private var numbers: [String: Int] = [:]

    package init(_ names: some Sequence<String>) {
        var order: [String] = []
        var counts: [String: Int] = [:]
        for name in names {
            if counts[name] == nil { order.append(name) }
            counts[name, default: 0] += 1
        }
        func place(_ name: String, _ first: Int) -> (Int, Int) { (-(counts[name] ?? 0), first) }
        let sorted = order.enumerated().sorted { place($0.element, $0.offset) < place($1.element, $1.offset) }
        for (number, name) in sorted.enumerated() { numbers[name.element] = number }
    }

    /// The position of a subject among all of them; its colour, and the dashes of its lines.
    package func number(of name: String) -> Int { numbers[name] ?? 0 }

    /// The class of a subject's elements: `c0`.
    package func style(of name: String) -> String { Self.style(number(of: name)) }

    package static func style(_ number: Int) -> String {
        let shared = count / 2
        return "c\(number < count ? number : shared + number % (count - shared))"
    }
}
