/// The command line asks for what there is not. Leads to exit code 64.
public struct UsageError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    public let description: String

    /// An error with its whole message.
    public init(_ description: String) { self.description = description }
}

/// What went wrong outside the command line: a file, a directory, a child process. Leads to exit code 1.
public struct GaugeError: Error, Equatable, CustomStringConvertible {
    /// The thing, the reason and the remedy.
    public let description: String

    /// An error with its whole message.
    public init(_ description: String) { self.description = description }
}
