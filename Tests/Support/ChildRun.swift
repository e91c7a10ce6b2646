import Foundation
import Platform

/// Runs an executable that was built beside the tests, to its end.
public struct ChildRun {
    /// Its standard output.
    public let output: String
    /// Its standard error.
    public let errors: String
    /// The exit code; minus the number of the signal that ended it.
    public let status: Int32

    /// Starts the executable, reads all its output, and waits for its end.
    public init(_ product: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let child = try RunningChild(product, arguments, environment: environment)
        (output, errors) = child.collect()
        status = child.wait()
    }
}
