import Foundation

/// Text inside HTML and SVG.
package enum HTMLText {
    /// The text with every character escaped that begins or ends an element, an attribute or a reference.
    package static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            // HTML forbids control characters, even as references.
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value): result += " "
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    /// A benchmark's escaped name, which can break after slashes.
    package static func breakable(_ name: String) -> String { escaped(name).replacing("/", with: "/<wbr>") }

    /// A coordinate: at most two decimals.
    package static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let hundredths = (min(max(value, -1e7), 1e7) * 100).rounded()
        let text = String(format: "%.2f", locale: Locale(identifier: "en_US_POSIX"), hundredths / 100)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }
}

/// Gives each subject one colour for the whole page: the most frequent first, and equally frequent ones in the order of
/// first appearance. So only rare ones share a colour, and never with the first six.
package struct SubjectColours {
    /// The number of colours in the page's style. Subjects beyond it share one, with other dashes.
    package static let count = 12

    private var numbers: [String: Int] = [:]

    package init(_ names: some Sequence<String>) {
        let sorted = names.grouped(by: \.self).enumerated().sorted {
            (-$0.element.elements.count, $0.offset) < (-$1.element.elements.count, $1.offset)
        }
        for (number, name) in sorted.enumerated() { numbers[name.element.key] = number }
    }

    /// A subject's position among all, for its colour and dashes.
    package func number(of name: String) -> Int { numbers[name] ?? 0 }

    /// The class of a subject's elements: `c0`.
    package func style(of name: String) -> String { Self.style(number(of: name)) }

    package static func style(_ number: Int) -> String {
        let shared = count / 2
        return "c\(number < count ? number : shared + number % (count - shared))"
    }
}
