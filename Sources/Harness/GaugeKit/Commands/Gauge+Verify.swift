import GaugeMeasurement
import GaugeSubjects
import GaugeSupport
import Platform

/// `verify`: tests the promises on which applications rely.
struct VerifyCommand: GaugeCommand {
    static let subject = CommandOption.text(
        "subject", "NAME", help: "the cache that is tested; the first of this executable unless said")
    static let promise = CommandOption.text("promise", "NAME", help: "tests only this promise")
    static let timeOut = CommandOption.number(
        "time-out", in: 0.1...3_600, formerName: "patience",
        help: "time-out for each promise, seconds; 60 unless said")

    static let specification = CommandSpecification(
        name: "verify", summary: "Tests whether a cache keeps the promises that applications rely on.",
        options: [
            subject.specification, promise.specification, timeOut.specification, CommonOptions.format.specification,
            CommonOptions.directory.specification,
        ],
        notes: [
            """
            Each promise is tested in its own process. A broken one is printed with the few steps that lead to it. A
            promise about a capability that the cache does not declare is not tested, and reads n/a. Exit code 3 when a
            promise is broken.
            """,
            "Promises:\n\(HelpText.table(Promise.all.map { ($0.name, $0.summary) }))",
        ])

    let name: String?
    let promises: [Promise]
    let seconds: Double
    let format: ReportFormat
    let directory: String?

    init(_ arguments: ParsedArguments) throws {
        name = arguments[Self.subject]
        promises = try Promise.chosen(arguments[Self.promise])
        seconds = arguments[Self.timeOut] ?? 60
        format = arguments[CommonOptions.format] ?? .text
        directory = arguments[CommonOptions.directory]
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let type = try gauge.subject(named: name).type
        let temporary = try TemporaryDirectory(in: directory)
        defer { temporary.remove() }
        let interruption = try Interruption()
        let verification = Verification(
            executable: nil, subject: type, directory: temporary, seconds: seconds, interruption: interruption)
        let progress = ProgressLine(console: console)
        var findings: [Verification.Finding] = []
        var isInterrupted = false
        for promise in promises {
            progress.show("\(findings.count + 1)/\(promises.count) \(promise.name)")
            do {
                findings.append(try verification.findOut(promise))
            } catch is Interrupted {
                isInterrupted = true
                break
            }
            progress.clear()
            if format == .text, let last = findings.last { try console.write(VerificationReport.text(last)) }
        }
        progress.clear()
        let driven = type.verified.name == type.name ? "" : type.verified.name
        let report = VerificationReport(subject: type.name, driven: driven, findings: findings)
        switch format {
        case .text: try console.write(report.summary)
        case .json: try console.write(try report.json())
        }
        if isInterrupted { return .interrupted }
        return report.broken == 0 ? .ok : .wrongAnswer
    }
}

/// `verify-worker`: tests one promise for the process that started it. Hidden from the help.
struct VerifyWorkerCommand: GaugeCommand {
    static let specification = CommandSpecification(
        name: "verify-worker", summary: "Tries one promise for another process.",
        options: [
            VerifyCommand.subject.specification, VerifyCommand.promise.specification,
            CommonOptions.directory.specification,
        ], isHidden: true)

    let name: String?
    let promises: [Promise]
    let directory: String

    init(_ arguments: ParsedArguments) throws {
        name = arguments[VerifyCommand.subject]
        promises = try Promise.chosen(arguments[VerifyCommand.promise])
        guard promises.count == 1, let directory = arguments[CommonOptions.directory] else {
            throw UsageError("verify-worker needs --promise and --directory; the command verify gives them")
        }
        self.directory = directory
    }

    func run(_ gauge: Gauge, console: Console) throws -> ExitCode {
        let type = try gauge.subject(named: name).type
        let (input, output) = try WorkerCommand.takeStandardStreams()
        WorkerCommand.endWithInput(input)
        var noCore = rlimit(rlim_cur: 0, rlim_max: 0)
        setrlimit(coreFileLimit, &noCore)
        let channel = WorkerChannel(output)
        for promise in promises {
            try channel.send(.hello(protocol: WorkerProtocol.version, benchmark: promise.name))
            let trial = Trial(promise.driven(type), parent: directory) { step in
                // If the other side is gone, this process ends when its input does.
                try? channel.send(step.map(WorkerReply.step) ?? .trial)
            }
            try channel.send(.verdict(promise.verdict(trial)))
        }
        return .ok
    }
}

extension Promise {
    /// The promise with this name; all promises without a name.
    static func chosen(_ name: String?) throws -> [Promise] {
        guard let name else { return all }
        guard let promise = all.first(where: { $0.name == name }) else {
            let question = NearNames.question(name, among: all.map(\.name))
            throw UsageError("there is no promise '\(name)'\(question); verify --help lists them")
        }
        return [promise]
    }

    /// Tests the promise.
    func verdict(_ trial: Trial) -> PromiseVerdict {
        do {
            try check(trial)
            return .kept
        } catch let broken as PromiseBroken {
            return .broken(reason: broken.description)
        } catch let reason as PromiseNotApplicable {
            return .notApplicable(reason: reason.description)
        } catch {
            return .broken(reason: "threw the error: \(error)")
        }
    }
}
