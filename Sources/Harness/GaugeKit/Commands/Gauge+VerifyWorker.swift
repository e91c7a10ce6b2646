import GaugeMeasurement
import GaugeSubjects
import GaugeSupport
import Platform

/// `verify-worker`: tests one promise for the process that started it. Hidden from the help.
struct VerifyWorkerCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "verify-worker", summary: "Tries one promise for another process.",
        options: [
            VerifyCommand.subject.specification, VerifyCommand.promise.specification,
            VerifyCommand.seed.specification, VerifyCommand.steps.specification, VerifyCommand.search.specification,
            CommonOptions.policy.specification, CommonOptions.directory.specification,
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
        var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(coreFileLimit, &noCore)
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

/// `verify-subject`: holds a subject that another process drives, and may kill. Hidden from the help.
struct VerifySubjectCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "verify-subject", summary: "Holds a subject for another process.",
        options: [
            VerifyCommand.subject.specification, VerifyCommand.promise.specification,
            VerifyCommand.seed.specification, CommonOptions.policy.specification,
            CommonOptions.directory.specification,
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
        var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(coreFileLimit, &noCore)
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
