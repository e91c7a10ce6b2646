/// An `errno` value.
package struct SystemError: Error, Equatable, CustomStringConvertible {
    /// The value, e.g. `ENOENT`.
    package let code: Int32

    package init(code: Int32) { self.code = code }

    /// The error of the call that has just failed on this thread.
    package static var last: SystemError { SystemError(code: errno) }

    /// The C library's message: `No such file or directory`.
    package var description: String { String(cString: strerror(code)) }
}
