import GaugeTraces

extension FuzzTarget {
    /// The input is an HTTP archive.
    ///
    /// Oracle: a second reader, which first builds a tree of the whole document (``HARModel``), accepts the same
    /// documents and finds the same entries, times and damage. Reading whole, in pieces and strictly gives the same.
    /// The reader moves at most as many bytes as there are, and is linear in the length.
    static let har = FuzzTarget(
        "har", of: .gauge, mutation: .structured(JSONMutation<ArchiveDocuments>.self)
    ) { buffer in
        let bytes = [UInt8](buffer)
        let lenient = requireLinear(bytes.count, rate: 100, "an archive") {
            TraceReading(bytes, .har, skipping: .damage)
        }
        lenient.requireSame(in: bytes, .har, pieces: 1 + bytes.count % 13)

        let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes[3...]) : bytes
        guard let entries = HARModel.document(text).flatMap(HARModel.entries) else {
            require(
                lenient.ending.error != nil || lenient.ending.skipped > 0, "\(text.quoted) is no archive, and is read")
            return
        }
        let all = entries.map(HARModel.request)
        let expected = HARModel.inOrder(all.compactMap(\.self))
        require(lenient.ending.error == nil, "\(text.quoted) is an archive, and refused: \(lenient)")
        require(
            lenient.requests.map(HARModel.Request.init) == expected,
            "\(text.quoted) is read as \(lenient.requests), not as \(expected)")
        require(
            lenient.ending.skipped == all.count { $0 == nil }, "\(lenient.ending.skipped) passed over of \(all)")
    }
}
