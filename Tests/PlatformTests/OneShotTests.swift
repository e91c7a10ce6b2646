import Platform
import Testing

@Suite struct OneShotTests {
    @Test("the first value stays, whether it comes before or after the wait begins") func first() async {
        let early = OneShot<Int>()
        #expect(early.provide(1) && !early.provide(2))
        #expect(await early.wait(cancelled: 3) == 1)
        #expect(await early.wait(cancelled: 3) == 1, "it can be read again")
        let late = OneShot<Int>()
        let waiter = Task { await late.wait(cancelled: 3) }
        late.provide(1)
        late.provide(2)
        #expect(await waiter.value == 1)
    }

    @Test("a cancelled wait has the value for it, and a value that came first wins over the cancellation")
    func cancelled() async {
        let shot = OneShot<Int>()
        let waiter = Task { await shot.wait(cancelled: 3) }
        waiter.cancel()
        #expect(await waiter.value == 3)
        let early = OneShot<Int>()
        early.provide(1)
        let late = Task {
            while !Task.isCancelled { await Task.yield() }
            return await early.wait(cancelled: 3)
        }
        late.cancel()
        #expect(await late.value == 1)
    }
}
