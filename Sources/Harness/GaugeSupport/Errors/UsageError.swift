/// The command line asks for what there is not. Leads to exit code 64.
package struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    package let description: String

    /// An error with its whole message.
    package init(_ description: String) { self.description = description }
}
