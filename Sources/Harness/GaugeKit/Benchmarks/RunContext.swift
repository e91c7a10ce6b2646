/// What a benchmark is given when it gets ready.
public struct RunContext: Sendable {
    /// Every pseudo-random choice follows from it.
    public let seed: UInt64
    /// Capacity of the memory tier, bytes.
    public let memoryCapacity: Int
    /// Capacity of the disk tier, bytes.
    public let diskCapacity: Int
    /// A directory of the worker's own, empty at first, removed after the run.
    public let directory: String
    /// Where the body reports wrong answers.
    public let answers: Answers

    /// Describes a run.
    public init(
        seed: UInt64, memoryCapacity: Int, diskCapacity: Int, directory: String, answers: Answers = Answers()
    ) {
        self.seed = seed
        self.memoryCapacity = memoryCapacity
        self.diskCapacity = diskCapacity
        self.directory = directory
        self.answers = answers
    }
}
