import Foundation
import Platform

/// A running child process, with pipes from its standard output and standard error.
public final class RunningChild {
    /// The process identifier.
    public let process: pid_t
    private let output: Int32
    private let errors: Int32
    private var collected: [[UInt8]] = [[], []]

    /// `sh` runs `/bin/sh`; every other name is a product of this package.
    public init(_ product: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        var pipes: [[Int32]] = [[-1, -1], [-1, -1]]
        for index in pipes.indices {
            guard pipe(&pipes[index]) == 0 else { throw SystemError.last }
            for end in pipes[index] { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        }
        let nothing = open("/dev/null", O_RDONLY | O_CLOEXEC)
        defer { close(nothing) }
        let path = product == "sh" ? "/bin/sh" : Self.path(of: product)
        let variables = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let started = spawn(
            executable: path, name: path, arguments: arguments, environment: variables.map { "\($0.key)=\($0.value)" },
            descriptors: (nothing, pipes[0][1], pipes[1][1]))
        for pipe in pipes { close(pipe[1]) }
        (output, errors) = (pipes[0][0], pipes[1][0])
        process = try started.get()
    }

    deinit {
        close(output)
        close(errors)
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
        var descriptors = [output, errors].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while descriptors.contains(where: { $0.fd >= 0 }), !enough(String(decoding: collected[0], as: UTF8.self)) {
            poll(&descriptors, 2, -1)
            for index in descriptors.indices where descriptors[index].revents != 0 {
                let count = read(descriptors[index].fd, &buffer, buffer.count)
                if count > 0 { collected[index] += buffer[..<count] } else { descriptors[index].fd = -1 }
            }
        }
        return (String(decoding: collected[0], as: UTF8.self), String(decoding: collected[1], as: UTF8.self))
    }

    /// Waits for its end. Returns the exit code, or minus the number of the signal.
    public func wait() -> Int32 {
        var status: Int32 = 0
        while waitpid(process, &status, 0) == -1 && errno == EINTR {}
        return status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    }
}
