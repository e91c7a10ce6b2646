extension FuzzTarget {
    /// Planted defects: a crash at the seven bytes `CANARY!` anywhere from the fourth byte on, which a fuzzer that works
    /// has to find, and work that grows with the square of an input that begins with `SQUARE!`, which one that counts has
    /// to notice.
    ///
    /// Oracle: that of ``requireLinear(_:rate:_:_:)``. A run of this target that ends without a crash shows that coverage,
    /// dictionary or sanitizer is missing from the build. Neither defect has a file in the corpus, so that replaying
    /// everything succeeds.
    static let canary = FuzzTarget("canary") { bytes in
        if bytes.starts(with: "SQUARE!".utf8) {
            _ = requireLinear(bytes.count, rate: 8, "the planted square") { pairsOfEqualBytes(bytes) }
        }
        let planted = Array("CANARY!".utf8)
        guard bytes.count >= planted.count + 3 else { return }
        for start in 3...(bytes.count - planted.count)
        where bytes[start..<(start + planted.count)].elementsEqual(planted) {
            fuzzFailure("the planted crash was found")
        }
    }

    /// By comparing each with each.
    private static func pairsOfEqualBytes(_ bytes: UnsafeRawBufferPointer) -> Int {
        var pairs = 0
        for one in bytes.indices {
            for other in bytes[..<one] where other == bytes[one] { pairs += 1 }
        }
        return pairs
    }
}
