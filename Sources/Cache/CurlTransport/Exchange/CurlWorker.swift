import CSupport
import Foundation
import Platform

/// A thread that drives all of a session's exchanges through libcurl's multi interface, and runs the engine's tasks for
/// them. An answer therefore goes through no other thread on its way to whoever waits for it.
///
/// Invariants: the multi handle, the easy handles and the transfers belong to the thread; no other touches them. Other
/// threads leave commands in `inbox` and wake it. The multi handle lives as long as the object.
///
/// `@unchecked Sendable`: all that other threads use is constant (`library`, `settings`, the semaphore, and `multi`,
/// for which they only call `wakeUp`) or behind `inbox`'s lock. The variables are the thread's own. There is only one
/// thread at a time: it is started only while `isRunning` is false, and the lock orders the end of one before the start
/// of the next.
final class CurlWorker: @unchecked Sendable {
    private enum Command {
        case begin(Int, CurlRequest, CurlBody)
        case resume(Int)
        case cancel(Int)
        case run(UnownedJob)
    }

    private struct Inbox {
        var commands: [Command] = []
        var exchanges = 0
        var nextNumber = 0
        var isRunning = false
        /// How the thread waits, and so how to wake it for a command.
        var waiting = Waiting.not
        /// No new exchange may begin.
        var isClosing = false

        /// How to wake the thread: once for everything that comes before it looks.
        mutating func takeWaiting() -> Waiting {
            defer { waiting = .not }
            return waiting
        }
    }

    private enum Waiting {
        case not
        case polling
        case parked
    }

    private let library: CurlLibrary
    private let settings: TransportSettings
    private let multi: CurlLibrary.Handle
    private let inbox = Locked(Inbox())
    /// Where the thread waits for the next exchange. Waking it here takes one system call; `wakeUp` and `poll` take
    /// five.
    private let parking = DispatchSemaphore(value: 0)
    private let longestParking: DispatchTimeInterval
    private let startThread: ThreadStart
    private let forkGeneration = currentForkGeneration()

    // Only for the thread.
    private var transfers: [Int: CurlTransfer] = [:]
    private var numbers: [CurlLibrary.Handle: Int] = [:]
    private let news = CurlNews()
    private let connections = CurlConnections()
    private var handles: CurlHandles
    /// No transfer's deadline is earlier.
    private var nextDeadline = UInt64.max
    /// How many connections stay open, in use or idle.
    private static let keptConnections = 64

    /// - Parameters:
    ///   - longestParking: after that the thread polls, because libcurl may have connections to close.
    ///   - startThread: replaced in tests.
    init(
        _ library: CurlLibrary, _ settings: TransportSettings,
        longestParking: DispatchTimeInterval = .milliseconds(100),
        startThread: @escaping ThreadStart = Platform.startThread
    ) throws(TransportProblem) {
        guard let multi = library.makeMulti() else { throw TransportProblem(reason: "curl_multi_init failed") }
        // libcurl also makes a multi handle without the descriptors for waking, and would then sleep through commands.
        guard library.wakeUp(multi) == Curl.ok else {
            _ = library.destroyMulti(multi)
            throw TransportProblem(
                reason: "libcurl has no descriptors for waking its thread; close files, or raise ulimit -n")
        }
        self.library = library
        self.settings = settings
        self.multi = multi
        self.longestParking = longestParking
        self.startThread = startThread
        handles = CurlHandles(library, settings, connections)
        library.setMulti(multi, .connectionsPerHost, settings.connectionsPerHost)
        // Otherwise it keeps four times as many as there are transfers: four where one follows the other.
        library.setMulti(multi, .keptConnections, max(Self.keptConnections, settings.connectionsPerHost))
    }

    // The thread retains the object, so it has ended or was never started.
    deinit { _ = library.destroyMulti(multi) }

    // MARK: Any thread

    var exchangesUnderWay: Int { inbox.withLock { $0.exchanges } }

    func begin(_ request: CurlRequest) -> CurlBody {
        let number = inbox.withLock { inbox in
            inbox.nextNumber += 1
            inbox.exchanges += 1
            return inbox.nextNumber
        }
        let body = CurlBody(onRoom: { [self] in tell(.resume(number)) }, onCancel: { [self] in tell(.cancel(number)) })
        tell(.begin(number, request, body))
        return body
    }

    /// Lets the thread end with the last exchange. In a forked child there is no thread, and the lock may be held for
    /// ever.
    func close() {
        guard currentForkGeneration() == forkGeneration else { return }
        wake(
            inbox.withLock { inbox in
                inbox.isClosing = true
                return inbox.takeWaiting()
            })
    }

    private func tell(_ command: Command) {
        let (hasToStart, waiting) = inbox.withLock { inbox in
            if inbox.isRunning {
                inbox.commands.append(command)
                return (false, inbox.takeWaiting())
            }
            switch command {
            case .begin, .run:
                inbox.commands.append(command)
                inbox.isRunning = true
                return (true, Waiting.not)
            // Without the thread there is no exchange to continue or end.
            case .resume, .cancel: return (false, .not)
            }
        }
        // After unlocking, because the thread takes the lock first.
        wake(waiting)
        if hasToStart, !startThread({ [self] in run() }) { doWithoutThread() }
    }

    /// The system has no thread for the new work: exchanges fail, and tasks run on Swift's own threads. The next
    /// command tries again.
    private func doWithoutThread() {
        let commands = inbox.withLock { inbox in
            inbox.isRunning = false
            defer { inbox.commands = [] }
            return inbox.commands
        }
        for command in commands {
            switch command {
            case .begin(_, let request, let body):
                inbox.withLock { $0.exchanges -= 1 }
                body.finish(
                    .failure(
                        URLError(
                            .cannotLoadFromNetwork, url: request.url,
                            "the system has no thread for libcurl; end other threads, or raise ulimit -u or the limit of processes"
                        )))
            case .run(let job):
                let executor = asUnownedTaskExecutor()
                DispatchQueue.global().async { [self] in
                    withExtendedLifetime(self) { job.runSynchronously(on: executor) }
                }
            case .resume, .cancel: break
            }
        }
    }

    private func wake(_ waiting: Waiting) {
        switch waiting {
        case .not: break
        case .polling: _ = library.wakeUp(multi)
        case .parked: parking.signal()
        }
    }

    // MARK: The thread

    private func run() {
        cs_name_thread("CurlWorker")
        blockBrokenPipeSignal()
        var commands: [Command] = []
        while takeCommands(&commands) {
            for command in commands { carryOut(command) }
            commands.removeAll(keepingCapacity: true)
            while perform() {}
            endOverdue()
            if inbox.withLock({ $0.commands.isEmpty }) { handles.prepare() }
            if transfers.isEmpty, wait(.parked, { _ = parking.wait(timeout: .now() + longestParking) }) { continue }
            _ = wait(.polling) {
                // An error, e.g. for lack of memory, must not make the loop spin.
                let milliseconds = Self.pollMilliseconds(until: nextDeadline, now: monotonicNanoseconds())
                if library.poll(multi, nil, 0, milliseconds, nil) != Curl.ok { usleep(1_000) }
            }
        }
    }

    /// Waits, unless there is already work, and returns whether there is. May return without any, when time is over or
    /// a late signal comes.
    private func wait(_ waiting: Waiting, _ wait: () -> Void) -> Bool {
        func hasWork(_ inbox: borrowing Inbox) -> Bool {
            !inbox.commands.isEmpty || inbox.isClosing && transfers.isEmpty
        }
        let waits = inbox.withLock { inbox in
            if !hasWork(inbox) { inbox.waiting = waiting }
            return !hasWork(inbox)
        }
        if waits { wait() }
        return inbox.withLock { inbox in
            inbox.waiting = .not
            return hasWork(inbox)
        }
    }

    /// - Parameter commands: empty.
    /// - Returns: `false` if there will never be anything to do again.
    private func takeCommands(_ commands: inout [Command]) -> Bool {
        inbox.withLock { inbox in
            swap(&commands, &inbox.commands)
            if commands.isEmpty, transfers.isEmpty, inbox.isClosing {
                inbox.isRunning = false
                return false
            }
            return true
        }
    }

    private func carryOut(_ command: Command) {
        switch command {
        case .begin(let number, let request, let body): begin(number, request, body)
        case .resume(let number):
            guard let transfer = transfers[number] else { return }
            if transfer.resume() { return remove(number) }
            nextDeadline = min(nextDeadline, transfer.deadline)
        case .cancel(let number): remove(number)
        case .run(let job): job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }

    /// - Parameter repeated: the transfer to begin again, on a new connection.
    private func begin(
        _ number: Int, _ request: CurlRequest, _ body: CurlBody, repeating repeated: CurlTransfer? = nil
    ) {
        let easy = handles.take()
        let made = easy.flatMap { easy in
            CurlTransfer(
                request, body, easy, library: library, settings: settings, news: news, connections: connections,
                repeating: repeated, onBytesToSend: { [self] in tell(.resume(number)) })
        }
        guard let easy, let transfer = made else {
            if let easy { library.destroyEasy(easy) }
            body.finish(.failure(URLError(.unknown, url: request.url, "libcurl has no memory for another transfer")))
            return inbox.withLock { $0.exchanges -= 1 }
        }
        transfers[number] = transfer
        numbers[easy] = number
        nextDeadline = min(nextDeadline, transfer.deadline)
        let code = library.add(multi, easy)
        if code != Curl.ok {
            transfer.abandon(URLError(.unknown, url: request.url, "libcurl refuses another transfer, error \(code)"))
            remove(number)
        }
    }

    /// - Returns: whether a transfer was begun again, for which libcurl must be called.
    private func perform() -> Bool {
        var isBegun = false
        var running: Int32 = 0
        news.begin()
        _ = library.perform(multi, &running)
        var left: Int32 = 0
        while let message = library.nextMessage(multi, &left) {
            guard message.pointee.kind == Curl.transferDone, let easy = message.pointee.easy,
                let number = numbers[easy], let transfer = transfers[number]
            else { continue }
            switch transfer.complete(message.pointee.data.result) {
            case .over: remove(number)
            case .decoding: break
            case .again:
                takeOut(number)
                begin(number, transfer.request, transfer.body, repeating: transfer)
                isBegun = true
            }
        }
        news.wakeReaders()
        return isBegun
    }

    private func remove(_ number: Int) {
        if takeOut(number) { inbox.withLock { $0.exchanges -= 1 } }
    }

    @discardableResult
    private func takeOut(_ number: Int) -> Bool {
        guard let transfer = transfers.removeValue(forKey: number) else { return false }
        numbers[transfer.easy] = nil
        _ = library.remove(multi, transfer.easy)
        handles.retire(transfer)
        return true
    }

    // MARK: Time-outs

    private func endOverdue() {
        let now = news.now
        guard now >= nextDeadline else { return }
        nextDeadline = .max
        for (number, transfer) in transfers {
            if transfer.isOverdue(now: now) {
                transfer.abandon(transfer.timeoutError)
                remove(number)
            } else {
                nextDeadline = min(nextDeadline, transfer.deadline)
            }
        }
    }

    /// Milliseconds until the deadline has passed, at most a million.
    static func pollMilliseconds(until deadline: UInt64, now: UInt64) -> Int32 {
        guard deadline > now else { return 0 }
        return Int32(min((deadline - now) / 1_000_000 + 1, 1_000_000))
    }
}

/// Writing to a connection that the other side has closed should be an error, not a signal; some TLS libraries do not
/// ensure that themselves.
private func blockBrokenPipeSignal() {
    var signals = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGPIPE)
    pthread_sigmask(SIG_BLOCK, &signals, nil)
}

extension CurlWorker: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { tell(.run(UnownedJob(job))) }
}
