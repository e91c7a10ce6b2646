import ForkedChildren
import Platform
import TestSupport
import Testing

@testable import CacheTiers

/// Limits of the process that leave too little for the tier.
@Suite struct ScarcityTests {
    @Test("With any number of free descriptors the tier works or says why not, and no burst of stores ends the process")
    func descriptors() async {
        await #expect(processExitsWith: .success) {
            #expect(Self.entries.count > 0)
            var openings = 0
            for limit in 3...30 as ClosedRange<rlim_t> {
                let directory = TemporaryDirectory()
                let end = ForkedChild.run {
                    for descriptor in 3..<256 as Range<Int32> { close(descriptor) }
                    var limits = rlimit(rlim_cur: limit, rlim_max: limit)
                    setrlimit(descriptorLimit, &limits)
                    return Self.use(directory.path, isWarned: { $0 == EMFILE })
                }
                #expect(end == 0 || end == 1, "\(limit) descriptors")
                if end == 0 { openings += 1 }
            }
            // It has two, beside the three standard streams.
            #expect(openings == 26)
        }
    }

    @Test(
        "With any limit on the size of files the tier works or says why not, and the process goes on",
        arguments: [true, false])
    func fileSize(isSetFirst: Bool) async {
        await #expect(processExitsWith: .success) { [isSetFirst = isSetFirst as Bool] in
            #expect(Self.entries.count > 0)
            var openings = 0
            // By pages where the file is laid out, and by 7 or 21 beyond.
            let limits = Array(0..<25) + Array(stride(from: 25, through: 256, by: nightly(7, else: 21)))
            for limit in limits.map({ $0 << 12 }) {
                let directory = TemporaryDirectory()
                let end = ForkedChild.run {
                    let setLimit: () -> Void = {
                        var limits = rlimit(rlim_cur: rlim_t(limit), rlim_max: rlim_t(limit))
                        setrlimit(fileSizeLimit, &limits)
                    }
                    if isSetFirst { setLimit() }
                    return Self.use(directory.path, isWarned: { $0 == EFBIG }, afterOpening: isSetFirst ? {} : setLimit)
                }
                #expect(end == 0 || end == 1, "a limit of \(limit) bytes ended the process with \(end)")
                if end == 0 { openings += 1 }
            }
            #expect(openings == limits.count - (isSetFirst ? 1 : 0))
        }
    }

    @Test("The process's treatment of SIGXFSZ, and a signal that waits already, stay as they are")
    func signalStays() async {
        await #expect(processExitsWith: .success) {
            let end = ForkedChild.run {
                var own = sigset_t()
                sigemptyset(&own)
                sigaddset(&own, SIGXFSZ)
                pthread_sigmask(SIG_BLOCK, &own, nil)
                raise(SIGXFSZ)
                let code = withoutFileSizeSignal { EFBIG }
                var waiting = sigset_t()
                sigpending(&waiting)
                return code == EFBIG && sigismember(&waiting, SIGXFSZ) == 1 ? 0 : 1
            }
            #expect(end == 0)
        }
    }

    private static let entries = (0..<200).map { Sample(number: $0, bodyCount: 5000).entry() }

    /// Stores in a burst and one by one, looks up, flushes, and clears.
    ///
    /// - Returns: 0 if all answers were right, 1 if the tier could not be opened and said why, more if something is
    ///   wrong.
    private static func use(
        _ directory: String, isWarned: (Int32) -> Bool, afterOpening: () -> Void = {}
    ) -> Int32 {
        // Another program may have ignored it, and threads of dispatch queues block it.
        signal(SIGXFSZ, SIG_DFL)
        var own = sigset_t()
        sigemptyset(&own)
        sigaddset(&own, SIGXFSZ)
        pthread_sigmask(SIG_UNBLOCK, &own, nil)
        let before = signalState()
        let tier: DiskTier
        do throws(DiskTierError) {
            tier = try DiskTier(directory: directory, capacity: 1 << 20)
        } catch {
            if case .unusable(_, let code) = error, isWarned(code) { return 1 }
            return 2
        }
        afterOpening()
        var newest = [StoredEntry?](repeating: nil, count: entries.count)
        for (step, entry) in (entries + entries).enumerated() {
            newest[step % entries.count] = (try? tier.store(entry)) == nil ? nil : entry
            if step == 100 { _ = try? tier.flush() }
        }
        for (number, stored) in newest.enumerated() {
            guard let found = tier.lookup(Sample(number: number)) else { continue }
            guard let stored, found.withBody({ body in stored.withBody { body.elementsEqual($0) } }) else { return 3 }
        }
        _ = try? tier.removeAll()
        tier.close()
        return signalState() == before ? 0 : 4
    }

    /// The process's handler of SIGXFSZ and its flags, and whether the thread blocks it.
    private static func signalState() -> [Int] {
        var action = sigaction()
        sigaction(SIGXFSZ, nil, &action)
        var mask = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &mask)
        // The handler comes first on every platform.
        let handler = withUnsafeBytes(of: &action) { $0.load(as: Int.self) }
        return [handler, Int(action.sa_flags), Int(sigismember(&mask, SIGXFSZ))]
    }
}
