/// What went wrong outside the command line: a file, a directory, a child process. Leads to exit code 1.
package struct GaugeError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    package let description: String

    /// An error with its whole message.
    package init(_ description: String) { self.description = description }
}
