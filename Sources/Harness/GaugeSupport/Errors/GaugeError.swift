/// An error outside the command line: in a file, a directory, a child process. Leads to exit code 1.
package struct GaugeError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    package let description: String

    /// Creates an error with its complete message.
    package init(_ description: String) { self.description = description }
}
