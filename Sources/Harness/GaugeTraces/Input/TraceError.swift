/// Why a trace can't be read.
package struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Place: Hashable, Sendable {
        case whole
        /// The first byte that is wrong, from 0.
        case offset(Int)
        /// The first wrong byte, from 0.
        case line(Int)
    }

    /// The wrong line, from 1.
    package let trace: String
    /// The trace, as the user named it.
    package let place: Place
    package let reason: String
    /// Whether the error concerns one request, so that reading can continue after it.
    package let isSkippable: Bool
    /// Whether it is ordinary: something that programs write into their logs beside requests, or a last line that may
    /// be cut. Skipped unless reading is strict.
    package let isNoise: Bool

    /// Whether it is an entry of an archive that never was a request of HTTP, so that nothing is lost without it.
    package let isForeign: Bool

    package init(
        _ trace: String, _ place: Place, _ reason: String, isSkippable: Bool = false, isNoise: Bool = false,
        isForeign: Bool = false
    ) {
        (self.trace, self.place, self.reason) = (trace, place, reason)
        self.isSkippable = isSkippable || isNoise
        self.isNoise = isNoise
        self.isForeign = isForeign
    }

    /// `web.csv: line 7: …`.
    package var description: String {
        switch place {
        case .whole: "\(trace): \(reason)"
        case .offset(let offset): "\(trace): offset \(offset): \(reason)"
        case .line(let line): "\(trace): line \(line): \(reason)"
        }
    }
}

/// Quotes a trace's text in messages: short and printable, since raw bytes must not reach a terminal.
package enum QuotedText {
    package static func of(_ bytes: ArraySlice<UInt8>) -> String {
        of(String(decoding: bytes.prefix(200), as: UTF8.self))
    }

    /// - Parameter limit: the most Unicode scalars shown.
    package static func of(_ text: String, limit: Int = 40) -> String {
        var quoted = "\""
        let short = text.unicodeScalars.prefix(limit)
        if short.contains(where: isControl) {
            for scalar in short { quoted.unicodeScalars.append(isControl(scalar) ? "?" : scalar) }
        } else {
            quoted += Substring(short)
        }
        return quoted + (short.endIndex == text.endIndex ? "\"" : "…\"")
    }

    /// Unicode's category Cc.
    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value < 0x20 || 0x7F...0x9F ~= scalar.value
    }
}
