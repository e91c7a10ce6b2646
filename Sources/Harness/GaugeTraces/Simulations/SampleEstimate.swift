/// The misses of a whole trace, estimated from a sample of its keys.
package struct SampleEstimate: Hashable, Sendable {
    /// Missed requests.
    package let misses: Double
    /// Bytes of missed bodies.
    package let missedBytes: Double
    /// Half the width of a 95 % interval around the ratio of the misses.
    package let error: Double
    /// The same for the ratio of bytes.
    package let byteError: Double

    package init(misses: Double, missedBytes: Double, error: Double, byteError: Double) {
        (self.misses, self.missedBytes) = (misses, missedBytes)
        (self.error, self.byteError) = (error, byteError)
    }

    /// The hits in a trace of so many requests and bytes.
    package func hits(of requests: Int, bytes: Int) -> HitSum {
        func rest(_ all: Int, _ misses: Double) -> Int {
            Int(max(0, min(Double(all), 0x1p62, Double(all) - misses.rounded())))
        }
        return HitSum(hits: rest(requests, misses), bytes: rest(bytes, missedBytes))
    }
}
