/// Why a trace cannot be read.
package struct TraceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// A place in the trace.
    package enum Place: Hashable, Sendable {
        /// The trace as a whole.
        case whole
        /// The first byte that is wrong, from 0.
        case offset(Int)
        /// The line that is wrong, from 1.
        case line(Int)
    }

    /// The trace, as the user named it.
    package let trace: String
    /// Where the trace is wrong.
    package let place: Place
    /// The fault and the remedy.
    package let reason: String
    /// Whether the error concerns one request, so that reading can continue after it.
    package let isSkippable: Bool
    /// Whether it is ordinary: something that programs write into their logs beside requests, or a last line that may be
    /// cut. Skipped unless reading is strict.
    package let isNoise: Bool

    /// Describes an error.
    package init(_ trace: String, _ place: Place, _ reason: String, isSkippable: Bool = false, isNoise: Bool = false) {
        self.trace = trace
        self.place = place
        self.reason = reason
        self.isSkippable = isSkippable || isNoise
        self.isNoise = isNoise
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

/// Quotes text of a trace for messages: short and printable. Raw trace bytes must not reach a terminal.
package enum QuotedText {
    package static func of(_ bytes: ArraySlice<UInt8>) -> String {
        of(String(decoding: bytes.prefix(200), as: UTF8.self))
    }

    /// - Parameter limit: Unicode scalars that are shown at most.
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
