import Platform
import Testing

/// SIGXFSZ is blocked whenever it is sent here: else it would end the process.
@Suite struct FileSizeSignalTests {
    private static func isWaiting() -> Bool {
        var waiting = sigset_t()
        sigpending(&waiting)
        return sigismember(&waiting, SIGXFSZ) == 1
    }

    @Test("the signal of a call that grew a file too far is taken, and one that waited before is left") func signals() {
        var signal = sigset_t()
        var before = sigset_t()
        sigemptyset(&signal)
        sigaddset(&signal, SIGXFSZ)
        pthread_sigmask(SIG_BLOCK, &signal, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        func call() -> Int32 {
            withoutFileSizeSignal {
                pthread_kill(pthread_self(), SIGXFSZ)
                return EFBIG
            }
        }
        #expect(call() == EFBIG && !Self.isWaiting())
        pthread_kill(pthread_self(), SIGXFSZ)
        let code = call()
        let isLeft = Self.isWaiting()
        var taken: Int32 = 0
        if isLeft { sigwait(&signal, &taken) }
        #expect(code == EFBIG && isLeft)
        // A signal beside another outcome is not the call's own.
        let other = withoutFileSizeSignal {
            pthread_kill(pthread_self(), SIGXFSZ)
            return 0
        }
        let isKept = Self.isWaiting()
        if isKept { sigwait(&signal, &taken) }
        #expect(other == 0 && isKept)
        // Another error leaves no signal.
        #expect(withoutFileSizeSignal { ENOSPC } == ENOSPC && !Self.isWaiting())
    }

    @Test("the signal is blocked during the call alone, and its thread blocks the same signals as before") func mask() {
        func blocked() -> [Bool] {
            var mask = sigset_t()
            pthread_sigmask(SIG_BLOCK, nil, &mask)
            return [SIGXFSZ, SIGUSR2].map { sigismember(&mask, $0) == 1 }
        }
        var other = sigset_t()
        var before = sigset_t()
        sigemptyset(&other)
        sigaddset(&other, SIGUSR2)
        pthread_sigmask(SIG_SETMASK, &other, &before)
        defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
        for code in [0, EFBIG] {
            var inside: [Bool] = []
            #expect(
                withoutFileSizeSignal {
                    inside = blocked()
                    return code
                } == code)
            #expect(inside == [true, true])
            #expect(blocked() == [false, true])
        }
    }
}
