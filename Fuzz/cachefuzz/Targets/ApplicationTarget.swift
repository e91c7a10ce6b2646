import VirtualOrigin

extension FuzzTarget {
    /// The input is a list of steps, three bytes each: requests of two accounts through three sessions over one cache, which
    /// overlap in any way, unsafe requests, changes at the origin, removals and stores by the application.
    ///
    /// Oracle: the model of `ApplicationTrial`. Nobody gets another account's answer, or one older than he or a removal has
    /// seen; nothing that was removed returns.
    static let application = FuzzTarget(
        "application", mutation: .records(width: ApplicationTrial.stepBytes, most: 64),
        describe: { ApplicationTrial.describe($0) }
    ) { bytes in
        if let broken = ApplicationTrial.run(bytes) { fuzzFailure(broken) }
    }
}
