/// The settings that a benchmark receives when it prepares.
public struct RunContext: Sendable {
    /// The seed of every pseudo-random choice.
    public let seed: UInt64
    /// Capacity of the memory tier, bytes.
    public let memoryCapacity: Int
    /// Capacity of the disk tier, bytes.
    public let diskCapacity: Int
    /// The worker's own directory, empty at first and removed after the run.
    public let directory: String
    /// Where the body reports wrong answers.
    public let answers: Answers
    /// The time after which filling a cache is given up, seconds.
    @usableFromInline package var fillSeconds = Double.infinity

    /// Creates a context.
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
