import Platform

/// `verify`: tests the promises that applications rely on.
struct VerifyCommand: GaugeCommand {
    static let judges = true

    static let subject = CommandOption.text(
        "subject", "NAME", help: "the cache that is tested; the first of this executable by default")
    static let promise = CommandOption.text("promise", "NAME", help: "tests only this promise")
    static let timeOut = CommandOption.number(
        "time-out", in: 0.1...3_600,
        help: "time-out for each promise, seconds; 60 by default")
    static let seed = CommandOption.seed("seed", help: "seed of the first random sequence; 1 by default")
    static let steps = CommandOption<[Int]>(
        "steps", "LIST", help: "only these steps of the sequence of --seed, such as 0-3,7; needs a --promise model-…"
    ) { (text) throws(UsageError) in try StepRanges.steps(text) }
    static let search = CommandOption.number(
        "search", "SECONDS", in: 0.01...3_600,
        help: "how long each promise model-… tries random sequences; 6 by default")

    static let specification = CommandSpecification(
        name: "verify", summary: "Tests whether a cache keeps the promises that applications rely on.",
        options: [
            subject, promise, timeOut, seed, steps, search, CommonOptions.policy, CommonOptions.format,
            CommonOptions.directory,
        ],
        notes: [
            """
            Each promise is tested in its own process. A broken one is printed with the few steps that lead to it. A
            promise about a capability that the cache does not declare is not tested, and reads n/a; so does one about an
            order of eviction that --policy replaces; the last line tells what could be declared. Exit code 3 when a
            promise is broken, 6 when none is and one had no verdict in time.
            """,
            """
            A promise model-… is tried by random sequences of operations. The first one that fails is shortened to the
            steps that matter, and printed with the command that repeats it. On a busy machine the search takes longer,
            up to four times as long.
            """,
            .table("Promises:", Promise.all.map { ($0.name, $0.summary) }),
        ])

    let name: String?
    let promises: [Promise]
    let seconds: Double
    let model: ModelSettings
    let policy: SubjectEvictionPolicy
    let format: ReportFormat
    let directory: String?

    init(_ arguments: ParsedArguments) throws {
        name = arguments[Self.subject]
        promises = try Promise.chosen(arguments[Self.promise])
        seconds = arguments[Self.timeOut] ?? 60
        model = try ModelSettings(arguments, promises)
        policy = arguments[CommonOptions.policy] ?? .lru
        format = arguments[CommonOptions.format] ?? .text
        directory = arguments[CommonOptions.directory]
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let type = try gauge.subject(named: name).type
        try type.verified.requirePolicy(policy)
        for mistake in [type.limits, type.verified.limits].compactMap(\.mistake) {
            throw UsageError("\(type.name) has a mistake in its declaration: \(mistake)")
        }
        try requireSteps(of: type)
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let interruption = try Interruption()
        let verification = Verification(
            executable: nil, subject: type, directory: temporary, seconds: seconds, interruption: interruption,
            model: model, policy: policy)
        try verification.requireRoom()
        let progress = ProgressLine(console: console)
        let driven = type.verified.name == type.name ? "" : type.verified.name
        var report = VerificationReport(subject: type.name, driven: driven, findings: [])
        var findings: [Verification.Finding] = []
        var isInterrupted = false
        do {
            try verification.findOut(promises) {
                progress.show("\($0 + 1)/\(promises.count) \(promises[$0].name)")
            } take: { finding in
                findings.append(finding)
                progress.clear()
                if format == .text { try console.write(report.text(finding)) }
            }
        } catch is Interrupted {
            isInterrupted = true
        }
        progress.clear()
        report.findings = findings
        switch format {
        case .text: try console.write(report.summary)
        case .json: try console.write(try report.json())
        }
        if isInterrupted { return .interrupted }
        return report.broken > 0 ? .wrongAnswer : report.timedOut > 0 ? .timedOut : .ok
    }
}

extension VerifyCommand {
    /// Refuses steps that the sequence doesn't have: without them a promise would be kept by doing nothing.
    private func requireSteps(of type: any CacheSubject.Type) throws(UsageError) {
        guard let steps = model.steps, let promise = promises.first, promise.lacking(type).isEmpty,
            let sequence = promise.sequence(seed: model.seed, capabilities: promise.driven(type).capabilities),
            let strange = steps.first(where: { !sequence.steps.indices.contains($0) })
        else { return }
        throw UsageError(
            "the sequence of seed \(model.seed) has no step \(strange); its last is \(sequence.steps.count - 1)")
    }
}

extension ModelSettings {
    init(_ arguments: ParsedArguments, _ promises: [Promise]) throws {
        self.init()
        seed = arguments[VerifyCommand.seed] ?? seed
        seconds = arguments[VerifyCommand.search] ?? seconds
        steps = arguments[VerifyCommand.steps]
        guard steps == nil || (promises.count == 1 && promises[0].sequences != nil) else {
            throw UsageError("--steps needs --promise with one of the promises that random sequences try")
        }
    }
}

extension Promise {
    /// The promise with this name, or else all.
    static func chosen(_ name: String?) throws -> [Promise] {
        guard let name else { return all }
        guard let promise = all.first(where: { $0.name == name }) else {
            let question = NearNames.question(name, among: all.map(\.name))
            throw UsageError("there is no promise '\(name)'\(question); verify --help lists them")
        }
        return [promise]
    }

    /// Tests the promise.
    ///
    /// - Parameter repeats: called with the options that repeat a fault, if a random model found it.
    func verdict(_ trial: Trial, repeats: (String) -> Void = { _ in }) -> PromiseVerdict {
        guard policies.contains(trial.policy) else {
            return .notApplicable(reason: "the policy \(trial.policy.rawValue) evicts in another order")
        }
        guard trial.order == .lru || trial.policy != .lru || policies.count == SubjectEvictionPolicy.allCases.count
        else {
            return .notApplicable(reason: "it says that it does not evict the least recently used entry first")
        }
        do {
            try check(trial)
            return .kept
        } catch let broken as PromiseBroken {
            broken.repetition.map(repeats)
            return .broken(reason: broken.description)
        } catch let reason as PromiseNotApplicable {
            return .notApplicable(reason: reason.description)
        } catch {
            return .broken(reason: "threw the error: \(error)")
        }
    }
}

/// `verify-worker`: tests one promise for the process that started it. Hidden from the help.
struct VerifyWorkerCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "verify-worker", summary: "Tries one promise for another process.",
        options: [
            VerifyCommand.subject, VerifyCommand.promise, VerifyCommand.seed, VerifyCommand.steps,
            VerifyCommand.search, CommonOptions.policy, CommonOptions.directory,
        ], isHidden: true)

    let name: String?
    let promises: [Promise]
    let directory: String
    let model: ModelSettings
    let policy: SubjectEvictionPolicy

    init(_ arguments: ParsedArguments) throws {
        name = arguments[VerifyCommand.subject]
        promises = try Promise.chosen(arguments[VerifyCommand.promise])
        guard promises.count == 1, let directory = arguments[CommonOptions.directory] else {
            throw UsageError("verify-worker needs --promise and --directory; the command verify gives them")
        }
        self.directory = directory
        model = try ModelSettings(arguments, promises)
        policy = arguments[CommonOptions.policy] ?? .lru
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let type = try gauge.subject(named: name).type
        let (input, output) = try WorkerCommand.takeStandardStreams()
        WorkerCommand.endWithInput(input)
        WorkerCommand.leaveNoCore()
        let channel = WorkerChannel(output)
        var model = model
        model.subject = type.name
        // If the other side is gone, this process ends when its input does.
        model.beginSequence = { try? channel.send(.sequence(seed: $0)) }
        for promise in promises {
            try channel.send(.hello(protocol: WorkerProtocol.version, benchmark: promise.name))
            let trial = Trial(promise.driven(type), parent: directory, model: model, policy: policy) { step in
                try? channel.send(step.map(WorkerReply.step) ?? .trial)
            }
            try channel.send(.verdict(promise.verdict(trial) { try? channel.send(.repetition($0)) }))
        }
        return .ok
    }
}

/// `verify-subject`: holds a subject that another process drives and may kill. Hidden from the help.
struct VerifySubjectCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "verify-subject", summary: "Holds a subject for another process.",
        options: [
            VerifyCommand.subject, VerifyCommand.promise, VerifyCommand.seed, CommonOptions.policy,
            CommonOptions.directory,
        ], isHidden: true)

    let name: String?
    let promises: [Promise]
    let seed: UInt64
    let directory: String
    let policy: SubjectEvictionPolicy

    init(_ arguments: ParsedArguments) throws {
        name = arguments[VerifyCommand.subject]
        promises = try Promise.chosen(arguments[VerifyCommand.promise])
        policy = arguments[CommonOptions.policy] ?? .lru
        seed = arguments[VerifyCommand.seed] ?? 1
        guard promises.count == 1, let directory = arguments[CommonOptions.directory] else {
            throw UsageError("verify-subject needs --promise and --directory; the command verify-worker gives them")
        }
        self.directory = directory
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let type = try gauge.subject(named: name).type
        let (input, output) = try WorkerCommand.takeStandardStreams()
        WorkerCommand.leaveNoCore()
        let channel = WorkerChannel(output)
        try channel.send(.hello(protocol: WorkerProtocol.version, benchmark: name ?? ""))
        let process = SteppedProcess(promises[0].driven(type), seed: seed, directory: directory, policy: policy)
        try WorkerRequests.forEach(from: input) { request in
            do {
                try channel.send(process.reply(to: request))
            } catch {
                try channel.send(.failed(reason: "threw the error: \(error)"))
            }
            return true
        }
        return .ok
    }
}
