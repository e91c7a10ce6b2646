import GaugeTraces

extension FuzzTarget {
    /// The first byte chooses the format, or detection for each file; the rest are the files of one trace, with
    /// ``FileSet/separator`` between them.
    ///
    /// Oracle: each file is read alone, and the next request is looked for among all files: the one with the earliest
    /// time, and of equal times the first file's. A time before an earlier one of its file counts as that one. Files
    /// without times come one after another. An error is thrown after the requests before it have been read. Nothing is
    /// read if formats differ, or only some files have times. A trace read in blocks is the same.
    static let traceFiles = FuzzTarget("trace_files", of: .gauge) { buffer in
        guard let first = buffer.first else { return }
        let choices: [TraceFormat?] = [nil] + TraceFormat.allCases
        let files = FileSet(
            [UInt8](buffer.dropFirst()), choices[Int(first) % choices.count], most: 8)
        guard files.isJudged else { return }
        let expected = files.expected
        let found = files.read(inBlocksOf: nil)
        require(found == expected, "\(files.format as Any): \(found), expected \(expected)")
        let blocks = files.read(inBlocksOf: 3)
        require(blocks == expected, "\(files.format as Any), in blocks: \(blocks), expected \(expected)")
    }
}

/// Several files that are one trace.
private struct FileSet {
    static let separator = Array("=file=".utf8)

    let format: TraceFormat?
    private let files: [[UInt8]]

    init(_ bytes: [UInt8], _ format: TraceFormat?, most: Int) {
        self.format = format
        var files: [[UInt8]] = [[]]
        for index in bytes.indices {
            files[files.count - 1].append(bytes[index])
            guard files.count < most, files[files.count - 1].suffix(Self.separator.count) == Self.separator[...] else {
                continue
            }
            files[files.count - 1].removeLast(Self.separator.count)
            files.append([])
        }
        self.files = files
    }

    /// Damage in compressed data is noticed sooner or later, depending on the pieces; see ``TraceReading``.
    var isJudged: Bool { !files.contains(where: TraceReading.isCompressed) }

    struct Result: Equatable, CustomStringConvertible {
        var requests: [TraceRequest] = []
        var skipped = 0
        var error: TraceError?
        /// Whether an error was thrown before anything could be read.
        var isRefused = false

        var description: String {
            "\(requests.suffix(3)) (\(requests.count)), \(skipped) passed over, "
                + (isRefused ? "refused" : error?.description ?? "no error")
        }
    }

    func read(inBlocksOf count: Int?) -> Result {
        var result = Result()
        let inputs = files.map { TraceInput(name: "input", bytes: $0) }
        guard var reader = try? TraceReader(inputs, format: format, skipping: .damage) else {
            result.isRefused = true
            return result
        }
        var block: [PlainRequest] = []
        if let count { block.reserveCapacity(count) }
        do throws(TraceError) {
            while true {
                if count != nil, reader.isPlain {
                    try reader.read(into: &block)
                    result.requests += block.map { TraceRequest($0) }
                    if !block.isEmpty { continue }
                }
                guard let request = try reader.next() else { break }
                result.requests.append(request)
            }
            result.skipped = reader.skipped
        } catch {
            result.error = error
        }
        return result
    }

    /// The result, from the files read alone.
    var expected: Result {
        var result = Result()
        // An empty file among others is skipped.
        let files = files.count > 1 ? files.filter { !$0.isEmpty } : files
        let parts = files.map { TraceReading($0, format, skipping: .damage) }
        let heads = parts.compactMap(\.requests.first)
        let isTimed = heads.contains { $0.time != nil }
        guard !parts.isEmpty, !parts.contains(where: { $0.format == nil }), Set(parts.map(\.format)).count == 1,
            parts.count == 1 || !parts.contains(where: { $0.requests.isEmpty && $0.ending.error != nil }),
            parts.count == 1 || !isTimed || heads.allSatisfy({ $0.time != nil })
        else {
            result.isRefused = true
            return result
        }
        var times = parts.map { $0.requests.first?.time ?? 0 }
        var taken = parts.map { _ in 0 }
        while true {
            let left = parts.indices.filter { taken[$0] < parts[$0].requests.count || parts[$0].ending.error != nil }
            let next = parts.count > 1 && isTimed ? left.min { times[$0] < times[$1] } : left.first
            guard let next else { break }
            guard taken[next] < parts[next].requests.count else {
                result.error = parts[next].ending.error
                return result
            }
            result.requests.append(parts[next].requests[taken[next]])
            taken[next] += 1
            if taken[next] < parts[next].requests.count {
                times[next] = max(times[next], parts[next].requests[taken[next]].time ?? times[next])
            }
        }
        result.skipped = parts.reduce(0) { $0 + $1.ending.skipped }
        return result
    }
}
