/// An error in the command line. Leads to exit code 64.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    package let description: String

    /// Creates an error with its complete message.
    package init(_ description: String) { self.description = description }
}
