/// A header field.
public struct HeaderField: Hashable, Sendable {
    /// The name as written.
    public var name: String
    /// The value.
    public var value: String

    /// Creates a field.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
