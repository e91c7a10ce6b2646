import TestSupport
import Testing
import VirtualOrigin

/// Random histories of an application with two accounts and three sessions over one cache (A4, A14, C14).
@Suite struct ApplicationHistoryTests {
    @Test(
        "whatever overlaps, nobody gets another's answer, or one older than he or a removal has seen", arguments: 0..<4)
    func histories(seed: UInt64) {
        var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
        func random() -> UInt8 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return UInt8(truncatingIfNeeded: state >> 32)
        }
        for number in 0..<nightly(300, else: 100) {
            let bytes = (0..<ApplicationTrial.stepBytes * 40).map { _ in random() }
            if let broken = ApplicationTrial.run(bytes) {
                Issue.record("seed \(seed), history \(number): \(broken)\n\(ApplicationTrial.describe(bytes))")
                return
            }
        }
    }
}
