/// A logged trace as an oracle reads it; made by ``ReuseLog/turned()``.
///
/// Takes the memory of the log. An oracle takes an eighth of a byte per request beside it, and
/// at most 24 bytes for each object that it holds.
package struct NextRequests {
    /// For each request, the later request that its response could answer; 0 for none.
    let next: [UInt32]
    /// For each request, the bytes of its body.
    let sizes: SizeList
    /// For each request, the bytes that an entry which answers it has at least.
    let footprints: SizeList

    /// How many requests there are.
    package var count: Int { next.count }
}
