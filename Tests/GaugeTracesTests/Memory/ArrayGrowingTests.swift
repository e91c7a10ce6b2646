import Testing

@testable import GaugeTraces

@Suite("Arrays that grow in large pages") struct ArrayGrowingTests {
    @Test("growing keeps the elements, appends the value, and never shrinks") func growing() {
        var array: [Int] = []
        for count in [3, 2, 0, 4, 1_000, 600_000, 599_999, 1_300_000] {
            let before = array
            array.grow(to: count, with: count)
            #expect(array.count == max(count, before.count))
            #expect(array.starts(with: before))
            #expect(array[before.count...].allSatisfy { $0 == count })
        }
    }

    @Test("an array with room for many elements is empty and keeps its address while it is filled") func room() {
        var array = [UInt64](roomFor: 1 << 20)
        #expect(array.isEmpty && array.capacity >= 1 << 20)
        let before = array.withUnsafeBufferPointer { $0.baseAddress }
        array.grow(to: 1 << 20, with: 7)
        #expect(before == array.withUnsafeBufferPointer { $0.baseAddress })
    }
}
