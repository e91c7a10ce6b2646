/// One input boundary and the oracle that judges what happens behind it.
struct FuzzTarget: Sendable {
    /// The name on the command line, in the corpus folder and in the dictionary file.
    let name: String
    /// Runs one input. Returns when every promise held; calls `fuzzFailure` when one did not.
    let run: @Sendable (UnsafeRawBufferPointer) -> Void
    /// Changes the first `size` bytes of the buffer in place, to at most the buffer's length, and gives the new size;
    /// `nil` leaves mutation to libFuzzer.
    let mutate: (@Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ size: Int, _ seed: UInt32) -> Int)?

    init(
        _ name: String,
        mutate: (@Sendable (_ buffer: UnsafeMutableRawBufferPointer, _ size: Int, _ seed: UInt32) -> Int)? = nil,
        run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        self.name = name
        self.run = run
        self.mutate = mutate
    }
}

/// Ends the process, since a promise was broken: libFuzzer keeps the input, a test sees the message.
func fuzzFailure(_ message: String) -> Never {
    fatalError("fuzz oracle: \(message)")
}
