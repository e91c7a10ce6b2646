/// A value of a JSON document, together with where it stands, so that an error can name the place.
package struct JSONNode: Sendable {
    /// The six kinds of RFC 8259, section 3.
    package indirect enum Value: Sendable {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([JSONNode])
        /// In the order of the document; no name is there twice.
        case object([(name: String, value: JSONNode)])
    }

    package let value: Value
    /// Where its first byte is.
    package let place: JSONPlace

    package init(value: Value, place: JSONPlace) {
        self.value = value
        self.place = place
    }

    /// For an error: `a number`.
    package var kind: String {
        switch value {
        case .null: "null"
        case .flag: "true or false"
        case .number: "a number"
        case .text: "a text"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// A place in a text, both from 1; the column counts bytes.
package struct JSONPlace: Hashable, Sendable {
    /// The line.
    package var line = 1
    /// The byte in it.
    package var column = 1

    package init(line: Int = 1, column: Int = 1) {
        self.line = line
        self.column = column
    }
}

/// Why a text is no JSON, or no JSON that is taken here.
package struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it is wrong.
    package let place: JSONPlace
    /// The reason and the remedy.
    package let reason: String

    package init(place: JSONPlace, reason: String) {
        self.place = place
        self.reason = reason
    }

    /// `line 3, column 7: …`.
    package var description: String { "line \(place.line), column \(place.column): \(reason)" }
}
