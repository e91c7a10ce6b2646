import Platform

/// Something to do again and again, each time to its end.
struct Case: Sendable {
    typealias Repetition = @Sendable () async throws -> Void

    let name: String
    /// Repetitions whose least is looked for; four times as many lie between two of them.
    let count: Int
    /// Makes what all repetitions share, in a directory for temporary files.
    let prepare: @Sendable (_ directory: String) async throws -> Repetition

    init(_ name: String, count: Int = 20, prepare: @escaping @Sendable (String) async throws -> Repetition) {
        (self.name, self.count, self.prepare) = (name, count, prepare)
    }

    /// - Returns: what is left behind.
    func run(in directory: String) async throws -> [String] {
        let repetition = try await prepare(directory)
        // Takes what is made once, by the looks, too.
        _ = try await least(repetition, directory)
        let before = try await least(repetition, directory)
        for _ in 0..<3 * count { try await repetition() }
        var after = try await least(repetition, directory)
        // Another thread may still have to give something back.
        let deadline = monotonicNanoseconds() + 5_000_000_000
        while after.exceeds(before, after: 4 * count), monotonicNanoseconds() < deadline {
            await Task.yield()
            after.lower(to: Residue(in: directory))
        }
        return after.excess(over: before, after: 4 * count)
    }

    /// The least that is held after a repetition: buffers come and go.
    private func least(_ repetition: Repetition, _ directory: String) async throws -> Residue {
        try await repetition()
        var least = Residue(in: directory)
        for _ in 1..<count {
            try await repetition()
            least.lower(to: Residue(in: directory))
        }
        return least
    }
}

/// A repetition took another way than it was made for.
struct Unexpected: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}

func require(_ condition: Bool, _ what: @autoclosure () -> String) throws {
    if !condition { throw Unexpected(what()) }
}
