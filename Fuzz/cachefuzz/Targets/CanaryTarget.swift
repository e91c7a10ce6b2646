import CSupport

extension FuzzTarget {
    /// Four planted defects. The bytes `CANARY!` anywhere from the fourth byte on crash, and a working fuzzer must
    /// find that. After `SQUARE!` or `REMOVE!`, an input takes work quadratic in its length, in comparisons or in moved
    /// bytes; a fuzzer that counts work must notice both. After `OVERRUN!`, C reads a byte too many, which the address
    /// sanitizer must see.
    ///
    /// Oracle: that of ``requireLinear(_:rate:_:_:)``. If a run of this target ends without a crash, the build lacks
    /// coverage, dictionary or sanitizer. The corpus has no file for the defects, so that replaying everything
    /// succeeds.
    static let canary = FuzzTarget("canary") { bytes in
        if bytes.starts(with: "SQUARE!".utf8) {
            _ = requireLinear(bytes.count, rate: 8, "the planted square") { pairsOfEqualBytes(bytes) }
        }
        if bytes.starts(with: "REMOVE!".utf8) {
            requireLinear(bytes.count, rate: 8, "the planted removal") { removeOneByOne(bytes) }
        }
        if bytes.starts(with: "OVERRUN!".utf8) { _ = cs_crc32c(0, bytes.baseAddress, bytes.count + 1) }
        let planted = Array("CANARY!".utf8)
        guard bytes.count >= planted.count + 3 else { return }
        for start in 3...(bytes.count - planted.count)
        where bytes[start..<(start + planted.count)].elementsEqual(planted) {
            fuzzFailure("the planted crash was found")
        }
    }

    /// Moves the remaining bytes for each that it removes.
    private static func removeOneByOne(_ bytes: UnsafeRawBufferPointer) {
        var rest = Array(bytes)
        while rest.last != nil { rest.removeFirst() }
    }

    /// Counts by comparing every pair.
    private static func pairsOfEqualBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        var pairs = 0
        for one in bytes.indices {
            for other in bytes[..<one] where other == bytes[one] { pairs += 1 }
        }
        return pairs
    }
}
