import Testing

@testable import GaugeTraces

@Suite struct TimeOrderTests {
    private static func request(_ time: Double, bytes: Int) -> TraceRequest {
        TraceRequest(id: 1, url: String(repeating: "u", count: bytes), time: time)
    }

    @Test("requests that were taken no longer count against the bound of bytes") func bytes() {
        let (length, most) = (1 << 20, TimeOrder.mostBytes >> 20)
        var order = TimeOrder()
        for number in 0..<2 * most {
            order.insert(Self.request(Double(number), bytes: length))
            #expect(!order.isFull)
            #expect(order.removeFirst()?.time == Double(number))
        }
        for number in 0..<most {
            #expect(!order.isFull, "\(number)")
            order.insert(Self.request(Double(-number), bytes: length))
        }
        #expect(order.isFull)
        #expect(order.removeFirst()?.time == Double(1 - most))
        #expect(!order.isFull && TimeOrder().isFull == false)
    }
}
