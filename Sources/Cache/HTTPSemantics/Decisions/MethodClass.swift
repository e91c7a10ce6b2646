/// What a cache distinguishes among request methods (RFC 9110, section 9.2). Methods are case-sensitive: `get` is not GET.
@frozen
public enum MethodClass: Sendable {
    /// GET: stored, and answered from what is stored.
    case get
    /// HEAD: answered from a stored GET.
    case head
    /// OPTIONS and TRACE: they change nothing, and nothing stored answers them.
    case otherSafe
    /// POST, PUT, DELETE, PATCH, and whatever is not known to be safe.
    case unsafe

    /// Classifies a method.
    public init(_ method: String) {
        self =
            switch method {
            case "GET": .get
            case "HEAD": .head
            case "OPTIONS", "TRACE": .otherSafe
            default: .unsafe
            }
    }
}
