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

    /// The escaped name of a benchmark, whose lines break after its slashes.
    package static func breakable(_ name: String) -> String { escaped(name).replacing("/", with: "/<wbr>") }

    /// A coordinate: at most two decimals.
    package static func number(_ value: Double) -> String {
        guard value.isFinite else { return "0" }
        let hundredths = (min(max(value, -1e7), 1e7) * 100).rounded()
        let text = String(format: "%.2f", locale: Locale(identifier: "en_US_POSIX"), hundredths / 100)
        return text.hasSuffix(".00") ? String(text.dropLast(3)) : text
    }
}
