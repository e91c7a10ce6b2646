/// A value of a JSON document, together with where it stands, so that an error can name the place.
struct JSONNode: Sendable {
    /// The six kinds of RFC 8259, section 3.
    indirect enum Value: Sendable {
        case null
        case flag(Bool)
        case number(Double)
        case text(String)
        case list([JSONNode])
        /// In the order of the document; no name is there twice.
        case object([(name: String, value: JSONNode)])
    }

    let value: Value
    /// Where its first byte is.
    let place: JSONPlace

    /// For an error: `a number`.
    var kind: String {
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
public struct JSONPlace: Hashable, Sendable {
    /// The line.
    public var line = 1
    /// The byte in it.
    public var column = 1
}

/// Why a text is no JSON, or no JSON that is taken here.
public struct JSONError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where it is wrong.
    public let place: JSONPlace
    /// The reason and the remedy.
    public let reason: String

    /// `line 3, column 7: …`.
    public var description: String { "line \(place.line), column \(place.column): \(reason)" }
}
