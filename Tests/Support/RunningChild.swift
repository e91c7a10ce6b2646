import Foundation
import GaugeSupport
import Platform

/// A running child process, with pipes from its standard output and standard error.
public final class RunningChild {
    private let child: ChildProcess
    private var output: [UInt8] = []

    /// The process identifier.
    public var process: pid_t { child.identifier }

    /// `sh` runs `/bin/sh`; every other name is a product of this package.
    public init(_ product: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        child = try ChildProcess(
            product == "sh" ? "/bin/sh" : Self.path(of: product), arguments: arguments,
            environment: ChildProcess.environment(changed: environment), keptErrors: .max)
    }

    /// The path of a product, which is built into the directory of the test runner.
    public static func path(of product: String) -> String {
        #if canImport(Darwin)
        let tests = Bundle.allBundles.first { $0.bundlePath.hasSuffix(".xctest") }?.bundleURL
        return tests?.deletingLastPathComponent().appending(path: product).path ?? product
        #else
        let runner = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        return runner.deletingLastPathComponent().appending(path: product).path
        #endif
    }

    /// Reads until both streams have ended, or until `enough` returns true for the output so far.
    @discardableResult
    public func collect(until enough: (String) -> Bool = { _ in false }) -> (output: String, errors: String) {
        while child.isReadable, !enough(String(decoding: output, as: UTF8.self)) {
            // Without an interruption it does not throw.
            try? child.read(waiting: -1) { output.append(contentsOf: $0) }
        }
        return (String(decoding: output, as: UTF8.self), child.errors.text)
    }

    /// Waits for its end. Returns the exit code, or minus the number of the signal.
    public func wait() -> Int32 { child.wait().status }
}
