import Testing

@testable import Platform

struct ProcessorBindingTests {
    @Test(
        "a bound thread may run on one processor, and afterwards where it did before",
        .enabled(if: !ProcessorBinding.allowed.isEmpty, "the system does not bind threads"))
    func bound() throws {
        let before = ProcessorBinding.allowed
        let last = try #require(before.last)
        let inside = ProcessorBinding.bound(to: last) { ProcessorBinding.allowed }
        #expect(inside == [last])
        #expect(ProcessorBinding.allowed == before)
    }

    #if os(Linux)
    @Test("the system says where a thread may run") func allowed() { #expect(!ProcessorBinding.allowed.isEmpty) }
    #endif

    @Test(
        "a processor that there is not leaves the thread where it was",
        arguments: [nil, 8_191, 8_192, 1 << 20] as [Int?])
    func absent(processor: Int?) {
        let before = ProcessorBinding.allowed
        #expect(ProcessorBinding.bound(to: processor) { ProcessorBinding.allowed } == before)
    }
}
