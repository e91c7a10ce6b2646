/// The classes of request methods that a cache distinguishes (RFC 9110, section 9.2). Methods are case-sensitive: `get` is
/// not GET.
@frozen
public enum MethodClass: Sendable {
    /// GET: its response is stored, and a stored response answers it.
    case get
    /// HEAD: answered from a stored GET.
    case head
    /// OPTIONS and TRACE: they change nothing, and no stored response answers them.
    case otherSafe
    /// POST, PUT, DELETE, PATCH, and every method that is not known to be safe.
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
