extension FuzzTarget {
    /// A planted crash, which a fuzzer that works has to find: the seven bytes `CANARY!` anywhere from the fourth byte on.
    ///
    /// Oracle: none. A run of this target that ends without a crash shows that coverage, dictionary or sanitizer is
    /// missing from the build. It has no file in the corpus, so that replaying everything succeeds.
    static let canary = FuzzTarget("canary") { bytes in
        let planted = Array("CANARY!".utf8)
        guard bytes.count >= planted.count + 3 else { return }
        for start in 3...(bytes.count - planted.count)
        where bytes[start..<(start + planted.count)].elementsEqual(planted) {
            fuzzFailure("the planted crash was found")
        }
    }
}
