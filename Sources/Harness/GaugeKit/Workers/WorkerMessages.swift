/// What a run and its workers say to each other: one JSON object a line, requests on the worker's standard input,
/// replies on its standard output. A worker greets, then answers each request with one reply, in order.
enum WorkerProtocol {
    /// Raised with every change that an older counterpart would misread: a run may drive workers of another build.
    static let version = 1
    /// A longer line is a defect of the worker, not a reply.
    static let longestLine = 16 << 20
}

/// What a worker is asked to do.
enum WorkerRequest: Codable, Sendable {
    /// Build what is measured. Answered by `prepared`.
    case prepare
    /// Find the number of operations in a batch, for at most so long. Answered by `settled`.
    case settle(milliseconds: Double)
    /// Run operations for so long. Answered by `slice`.
    case slice(milliseconds: Double)
    /// Run exactly so many operations where a tool that counts instructions looks. Answered by `counted`.
    case count(operations: Int)
    /// Read the figures, clean up, and end. Answered by `finished`.
    case finish
}

/// What a worker answers.
enum WorkerReply: Codable, Sendable {
    /// Said once, unasked.
    case hello(protocol: Int, benchmark: String)
    case prepared(PreparedReport)
    case settled
    case slice(SliceReport)
    ///
    /// The report is `nil` when an older build answers.
    case counted(WorkReport?)
    case finished(FinishReport)
    /// What was asked for threw an error.
    case failed(reason: String)
    /// Of a promise: everything begins anew, and the steps so far do not matter.
    case trial
    /// Of a promise: what is done next.
    case step(String)
    /// Of a promise: what became of it.
    case verdict(PromiseVerdict)
}

/// What a worker measures.
struct PreparedReport: Codable, Sendable {
    enum Kind: String, Codable, Sendable { case batched, timed, threaded }

    let kind: Kind
    let threads: Int
    let outcome: Outcome
}

/// What is left to say when all slices have run.
struct FinishReport: Codable, Sendable {
    let figures: [Figure]
    let wrong: Int
    let wrongAnswers: [WrongAnswer]
}
