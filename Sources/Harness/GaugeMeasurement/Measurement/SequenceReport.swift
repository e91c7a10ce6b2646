/// The work of each operation of a sequence. An array is empty where the executable does not count.
package struct SequenceReport: Codable, Equatable, Sendable {
    /// Allocating calls, by operation.
    package var allocations: [UInt64] = []
    /// Bytes that these calls requested.
    package var allocatedBytes: [UInt64] = []

    package init() {}
}
