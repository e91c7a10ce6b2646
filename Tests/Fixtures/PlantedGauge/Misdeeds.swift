import GaugeMeasurement
import Platform

/// What a benchmark may do wrong.
enum Misdeeds {
    static let none: @Sendable (RunContext) -> Void = { _ in }

    /// Writes to an address that nobody has.
    static let crash: @Sendable (RunContext) -> Void = { _ in
        UnsafeMutablePointer<UInt64>(bitPattern: opaque(8))?.pointee = 1
    }

    /// What Swift does about an index out of range.
    static let trap: @Sendable (RunContext) -> Void = { _ in blackHole([1, 2, 3][opaque(3)]) }

    static let exit: @Sendable (RunContext) -> Void = { _ in Platform.exit(7) }

    /// Leaves a file `hanging` in the worker's directory, for who has to know.
    static let hang: @Sendable (RunContext) -> Void = { context in
        close(open("\(context.directory)/hanging", O_CREAT | O_WRONLY, 0o600))
        while true { pause() }
    }

    static let lie: @Sendable (RunContext) -> Void = { context in
        context.answers.wrong(
            key: "/a", expected: "version 2", got: "version 1", history: ["stored version 1", "stored version 2"])
    }

    /// Writes where the protocol runs, and more than a pipe holds where nobody reads.
    static let chatter: @Sendable (RunContext) -> Void = { _ in
        print(#"{"slice":{"_0":{"operations":1}}}"#)
        let noise = String(repeating: "noise ", count: 50)
        for _ in 0..<100 { _ = write(STDERR_FILENO, noise, noise.utf8.count) }
    }
}
