/// One input boundary and the oracle that judges what happens behind it.
struct FuzzTarget: Sendable {
    /// The name on the command line, in the corpus folder and in the dictionary file.
    let name: String
    /// The part of the program under test.
    let subject: Subject
    /// Runs one input. Returns if every promise held; otherwise calls `fuzzFailure`.
    let run: @Sendable (UnsafeRawBufferPointer) -> Void
    /// A readable description of the input, of several lines.
    let describe: @Sendable (UnsafeRawBufferPointer) -> String
    /// How inputs are mutated and crossed over; `nil` leaves both to libFuzzer.
    let mutation: InputMutation?

    /// The two parts of the program. No target tests code that both share, so libFuzzer sees the counters of one part
    /// only.
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

/// Ends the process because a promise was broken: libFuzzer keeps the input, a test sees the message.
func fuzzFailure(_ message: String) -> Never {
    fatalError("fuzz oracle: \(message)")
}
