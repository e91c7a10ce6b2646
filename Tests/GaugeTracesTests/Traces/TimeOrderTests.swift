import Testing

@testable import GaugeTraces

@Suite struct TimeOrderTests {
    /// Of 1 MiB.
    private static let url = String(repeating: "u", count: 1 << 20)

    private static func request(_ time: Double) -> TraceRequest { TraceRequest(id: 1, url: url, time: time) }

    @Test("requests that were taken no longer count against the bound of bytes") func bytes() {
        let most = TimeOrder.mostBytes >> 20
        var order = TimeOrder()
        for number in 0..<2 * most {
            order.insert(Self.request(Double(number)))
            #expect(!order.isFull)
            #expect(order.removeFirst()?.time == Double(number))
        }
        for number in 0..<most {
            #expect(!order.isFull, "\(number)")
            order.insert(Self.request(Double(-number)))
        }
        #expect(order.isFull)
        #expect(order.removeFirst()?.time == Double(1 - most))
        #expect(!order.isFull && TimeOrder().isFull == false)
    }
}
