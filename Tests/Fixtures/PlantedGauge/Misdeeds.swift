import GaugeMeasurement
import Platform

/// The ways in which a benchmark may misbehave.
enum Misdeeds {
    static let none: @Sendable (RunContext) -> Void = { _ in }

    /// Writes to an unmapped address.
    static let crash: @Sendable (RunContext) -> Void = { _ in
        UnsafeMutablePointer<UInt64>(bitPattern: opaque(8))?.pointee = 1
    }

    /// Traps with an index out of range.
    static let trap: @Sendable (RunContext) -> Void = { _ in blackHole([1, 2, 3][opaque(3)]) }

    static let exit: @Sendable (RunContext) -> Void = { _ in Platform.exit(7) }

    /// Creates a file `hanging` in the worker's directory as a sign for the test, and then hangs.
    static let hang: @Sendable (RunContext) -> Void = { context in
        close(open("\(context.directory)/hanging", O_CREAT | O_WRONLY, 0o600))
        while true { pause() }
    }

    static let lie: @Sendable (RunContext) -> Void = { context in
        context.answers.wrong(
            key: "/a", expected: "version 2", got: "version 1", history: ["stored version 1", "stored version 2"])
    }

    /// Writes to the stream of the protocol, and writes more than a pipe holds to standard error.
    static let chatter: @Sendable (RunContext) -> Void = { _ in
        print(#"{"slice":{"_0":{"operations":1}}}"#)
        let noise = String(repeating: "noise ", count: 50)
        for _ in 0..<100 { _ = write(STDERR_FILENO, noise, noise.utf8.count) }
    }
}
