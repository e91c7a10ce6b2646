/// One input boundary and the oracle that judges what happens behind it.
struct FuzzTarget: Sendable {
    /// The name on the command line, in the corpus folder and in the dictionary file.
    let name: String
    /// What is on trial.
    let subject: Subject
    /// Runs one input. Returns when every promise held; calls `fuzzFailure` when one did not.
    let run: @Sendable (UnsafeRawBufferPointer) -> Void
    /// What the input says, for people to read, in lines.
    let describe: @Sendable (UnsafeRawBufferPointer) -> String
    /// How inputs are changed and joined; `nil` leaves both to libFuzzer.
    let mutation: InputMutation?

    /// The two parts of the program, which share no code that a target is about: libFuzzer is shown one of them.
    enum Subject { case cache, gauge }

    init(
        _ name: String, of subject: Subject = .cache, mutation: InputMutation? = nil,
        describe: @escaping @Sendable (UnsafeRawBufferPointer) -> String = { ByteDump.text(of: $0) },
        run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        self.name = name
        self.subject = subject
        self.mutation = mutation
        self.describe = describe
        self.run = run
    }
}

/// Ends the process, since a promise was broken: libFuzzer keeps the input, a test sees the message.
func fuzzFailure(_ message: String) -> Never {
    fatalError("fuzz oracle: \(message)")
}
