import Foundation
import GaugeSupport
import Platform

/// Measures one set of processes of one case: a fresh worker for each benchmark, with another layout, hash seed and
/// allocator state than in other sets.
///
/// The workers run short slices in turns, in shuffled order: a disturbance longer than a slice affects them all alike,
/// and none always follows the slowest.
package struct CaseSet {
    package let settings: RunSettings
    package let directory: TemporaryDirectory
    package let interruption: Interruption?
    /// Slices of each benchmark; `nil` for what `slices(preparing:benchmarks:)` says.
    package var samples: Int?
    /// How long to measure instead, seconds, in longer slices; `nil` for a number of slices.
    package var seconds: Double?
    /// The time-out for preparing a peer, seconds; 0 skips peers. Filling some caches takes longer than measuring all
    /// others.
    package var peerTimeOut = Double.infinity

    /// The length of a slice, milliseconds. Brief disturbances average out over shorter slices, and longer ones affect
    /// all benchmarks alike.
    package static let slice = 4.0
    /// The longest warming of caches before a slice, milliseconds.
    package static let warming = 24.0
    /// The length of a slice when measuring by time, milliseconds. A queue of requests outlives short ones.
    package static let longSlice = 100.0
    /// The fewest and the most slices of a set, unless `samples` says otherwise.
    package static let sliceCounts = 6...48

    /// The number of slices after a preparation of so many seconds. They take about half as long: with fewer, the run
    /// would mostly prepare, and more from one process repeat what the first ones say.
    package static func slices(preparing seconds: Double, benchmarks: Int) -> Int {
        let wanted = seconds * 1_000 / 2 / (slice * Double(max(1, benchmarks)))
        return Int(min(max(wanted, Double(sliceCounts.lowerBound)), Double(sliceCounts.upperBound)))
    }

    /// Measures a set and adds it to the results.
    ///
    /// - Parameters:
    ///   - results: the case's results so far.
    ///   - active: the positions of the benchmarks to measure.
    ///   - name: the set's name, which distinguishes its files.
    ///   - now: the clock that times the preparation, nanoseconds.
    /// - Throws: `Interrupted`; whatever was measured before has been added.
    package func measure(
        _ results: inout [BenchmarkMeasurements], active: [Int], name: String,
        now: () -> UInt64 = monotonicNanoseconds
    ) throws {
        var random = Xoshiro256(seed: Self.seed(of: name, in: settings))
        for index in results.indices { results[index].beginSet() }
        var members: [SetMember] = []
        // Stored files stay for now: for minutes after many files were removed, ext4 takes a millisecond to create one.
        defer { for member in members { member.worker.end() } }
        for index in active where results[index].failure == nil {
            do {
                members.append(
                    try SetMember(
                        results[index], index: index, settings: settings,
                        place: try directory.subdirectory(place(name, index)), peerTimeOut: peerTimeOut,
                        interruption: interruption))
            } catch let error as GaugeError {
                // Earlier sets are kept.
                results[index].failure = .failed(reason: error.description)
            }
        }
        defer { for member in members { results[member.index] = member.finished } }
        let start = now()
        for index in members.indices { members[index].attempt { try $0.worker.greet(within: $0.timeOut) } }
        // In parallel: preparation isn't timed.
        for index in members.indices { members[index].attempt { try $0.worker.send(.prepare) } }
        for index in members.indices { members[index].attempt { try $0.finishPreparing() } }
        try rethrowInterruption()
        let preparing = Double(now() - start) / 1e9
        try warmUp(&members)
        if let seconds {
            let count = Int(seconds * 1_000 / Self.longSlice / Double(max(1, members.count)))
            try measureSlices(&members, max(1, count), milliseconds: Self.longSlice, &random)
        } else {
            let count = samples ?? Self.slices(preparing: preparing, benchmarks: members.count)
            try measureSlices(&members, count, milliseconds: Self.slice, &random)
        }
        for index in members.indices {
            try rethrowInterruption()
            members[index].attempt { try $0.measureSingles(milliseconds: Self.slice) }
        }
        for index in members.indices { members[index].attempt { try $0.finish() } }
        try rethrowInterruption()
    }

    package func removeFiles(of name: String, benchmarks: Int) {
        for index in 0..<benchmarks {
            try? FileManager.default.removeItem(atPath: "\(directory.path)/\(place(name, index))")
        }
    }

    /// The seed for the order in a set: different for each set and for each seed of the run.
    package static func seed(of name: String, in settings: RunSettings) -> UInt64 {
        name.utf8.reduce(settings.seed) { SplitMix64.mix($0 &+ UInt64($1)) }
    }

    private func place(_ name: String, _ index: Int) -> String { "set-\(name)-\(index)" }

    private func rethrowInterruption() throws {
        if interruption?.isRequested == true { throw Interrupted() }
    }

    private func warmUp(_ members: inout [SetMember]) throws {
        for index in members.indices {
            try rethrowInterruption()
            members[index].attempt { try $0.calibrate(milliseconds: Self.slice * 5) }
            members[index].attempt { try $0.warmUp(milliseconds: Self.slice / 2) }
        }
    }

    private func measureSlices(
        _ members: inout [SetMember], _ slices: Int, milliseconds: Double, _ random: inout Xoshiro256
    ) throws {
        var order = SliceOrder(members: members.count)
        for _ in 0..<slices {
            for index in order.next(&random) {
                try rethrowInterruption()
                guard members[index].mayGoOn(milliseconds: milliseconds * Double(slices)) else { continue }
                members[index].attempt { try $0.measure(milliseconds: milliseconds) }
                if members[index].result.isFatal { return }
            }
        }
    }
}

/// The order of the workers in successive rounds of slices: shuffled, so that none follows another more often.
package struct SliceOrder {
    private var order: [Int]

    package init(members: Int) { order = Array(0..<members) }

    package mutating func next(_ random: inout Xoshiro256) -> [Int] {
        order.shuffle(using: &random)
        return order
    }
}

struct SetMember {
    /// Its position in the case.
    let index: Int
    let worker: WorkerProcess
    let timeOut: Double
    private(set) var result: BenchmarkMeasurements
    private let preparingTimeOut: Double
    private let before: Int
    /// How long its slices and calibration took, milliseconds.
    private var measured = 0.0
    private var calibrating = 0.0

    /// Filling is given up after this share of the time for preparing, so that the worker can still say so.
    private static let fillShare = 0.8

    /// Starts the worker.
    ///
    /// - Parameter place: the path of its directory, which is empty.
    init(
        _ result: BenchmarkMeasurements, index: Int, settings: RunSettings, place: String, peerTimeOut: Double,
        interruption: Interruption?
    ) throws {
        self.index = index
        self.result = result
        before = result.slices.count
        let benchmark = result.benchmark
        timeOut = settings.timeOut
        preparingTimeOut = Self.preparingTimeOut(timeOut, isPeer: benchmark.isPeer, peerTimeOut: peerTimeOut)
        worker = try WorkerProcess(
            executable: settings.executable,
            arguments: WorkerArguments.make(
                benchmark: benchmark.name.description, settings: settings,
                directory: place,
                fillSeconds: settings.executable == nil ? max(0.1, preparingTimeOut * Self.fillShare) : nil),
            interruption: interruption)
        if preparingTimeOut <= 0 { self.result.failure = .noTimeLeft }
    }

    static func preparingTimeOut(_ timeOut: Double, isPeer: Bool, peerTimeOut: Double) -> Double {
        min(timeOut * 3, isPeer ? peerTimeOut : .infinity)
    }

    /// The failure of a worker that wasn't ready after so many seconds; part of a second counts as one.
    static func notReady(after seconds: Double) -> WorkerFailure { .notReady(seconds: Int(seconds.rounded(.up))) }

    var finished: BenchmarkMeasurements {
        var finished = result
        let preparing = Double(result.prepared?.nanoseconds ?? 0) / 1e9
        finished.spend(preparing + (calibrating + measured) / 1e3)
        return finished
    }

    /// Whether it has time left in this set. A benchmark whose single operation outlasts many slices stops after one;
    /// any other gets at least three, without which there is no spread.
    func mayGoOn(milliseconds share: Double) -> Bool {
        let count = result.slices.count - before
        return count == 0 || measured < (count < 3 ? share * 3 : share)
    }

    /// Takes one step, unless an earlier one failed. A failure ends only this benchmark.
    mutating func attempt(_ step: (inout SetMember) throws -> Void) {
        guard result.failure == nil else { return }
        do {
            try step(&self)
        } catch let failure as WorkerFailure {
            result.failure = failure
            result.lastWords = worker.lastWords
        } catch is Interrupted {
            // An interruption concerns all benchmarks; the caller checks for it next.
        } catch {
            result.failure = .failed(reason: "\(error)")
        }
    }

    mutating func finishPreparing() throws {
        do {
            result.prepared = try worker.finishPreparing(within: preparingTimeOut)
        } catch WorkerFailure.timedOut {
            throw Self.notReady(after: preparingTimeOut)
        }
    }

    mutating func calibrate(milliseconds: Double) throws {
        let start = monotonicNanoseconds()
        defer { calibrating = Double(monotonicNanoseconds() - start) / 1e6 }
        try worker.calibrate(milliseconds: milliseconds, within: timeOut + milliseconds / 500)
    }

    /// Whether a slice holds several operations. If not, warming up would take longer than measuring.
    private var hasShortOperations: Bool { calibrating < CaseSet.slice * 8 }

    /// Runs short slices until they agree.
    mutating func warmUp(milliseconds: Double) throws {
        guard hasShortOperations else { return }
        var warmUp = WarmUp()
        while !warmUp.isOver {
            warmUp.add(MeasuredSlice(try slice(milliseconds: milliseconds)).typicalOrMean)
        }
        result.note(isSteady: warmUp.isSteady)
    }

    /// Measures a slice; a short one with warm caches.
    mutating func measure(milliseconds: Double) throws {
        if milliseconds < CaseSet.warming, hasShortOperations {
            try worker.warmCaches(milliseconds: CaseSet.warming, within: timeOut + CaseSet.warming / 500)
        }
        let report = try slice(milliseconds: milliseconds)
        measured += Double(report.nanoseconds) / 1e6
        result.add(report)
    }

    private func slice(milliseconds: Double) throws -> SliceReply {
        try worker.slice(milliseconds: milliseconds, within: timeOut + milliseconds / 500)
    }

    /// Times single hits of a body that runs them in batches, for percentiles.
    mutating func measureSingles(milliseconds: Double) throws {
        guard let prepared = result.prepared, prepared.kind == .batched, prepared.outcome.isHit else { return }
        result.addSingles(try worker.sliceEach(milliseconds: milliseconds, within: timeOut + milliseconds / 500))
    }

    mutating func finish() throws {
        let report = try worker.finish(within: timeOut)
        result.add(report.figures)
        result.take(wrong: report.wrong, report.wrongAnswers)
    }
}
