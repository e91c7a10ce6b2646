/// An `errno` value.
public struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The value: `ENOENT`, …
    public let code: Int32

    /// Wraps a value.
    public init(code: Int32) { self.code = code }

    /// The error of the system call that has just failed on this thread.
    public static var last: SystemError { SystemError(code: errno) }

    /// What the C library says about it: `No such file or directory`.
    public var description: String { String(cString: strerror(code)) }
}
