/// Reads a trace request by request, from one file or from several parts. Holds the longest line and 64 KiB of each
/// file.
///
/// Several files are read side by side, and their requests merged by time: logs of several servers, shards, or pieces
/// in any order. A request without a time follows the one before it in its file; at equal times, the first file's comes
/// first. Files without times are read one after another, in the given order.
package struct TraceReader {
    package let format: TraceFormat
    /// Whether the format was recognised by its signature rather than given.
    package let isGuessed: Bool
    /// Requests read so far.
    package private(set) var count = 0
    private var files: [TraceFile]
    /// The next request of each file; empty for a single file.
    private var heads: [TraceRequest?] = []
    /// The files by their next requests; `nil` if they are read one after another.
    private var times: FileTimes?
    /// Files with times, read in blocks.
    private var merge: PlainMerge?
    /// The current file, if they are read one after another.
    private var current = 0
    /// Finds the sizes of versions, if a log may count headers; `nil` if sizes are taken as they are.
    private var settled: SettledSizes?
    /// The names in a trace's files, to see whether recordings belong together.
    private var names = RecordedNames()
    /// Whether all requests so far were for one object of 0 bytes.
    private var isSuspect = true
    private var suspect: UInt64?

    /// Starts reading one file.
    ///
    /// - Parameters:
    ///   - input: the source of the bytes.
    ///   - format: the format of the trace; `nil` to recognise it by its signature.
    ///   - skipping: what to skip and count.
    /// - Throws: ``TraceError`` when the format isn't recognised, or the header is damaged.
    package init(
        _ input: TraceInput, format: TraceFormat? = nil, layout: TraceLayout? = nil, skipping: Skipping = .noise
    ) throws(TraceError) {
        try self.init([input], format: format, layout: layout, skipping: skipping)
    }

    /// Starts reading files, and reads the first request of each if there are several.
    ///
    /// - Parameter inputs: at least one. Empty ones are skipped if there are several.
    /// - Throws: also when the formats differ, or only some files have times.
    package init(
        _ inputs: [TraceInput], format: TraceFormat? = nil, layout: TraceLayout? = nil, skipping: Skipping = .noise
    ) throws(TraceError) {
        files = []
        for input in inputs {
            let file = try TraceFile(
                input, format: format, layout: layout, skipping: skipping, isPart: inputs.count > 1)
            if let file { files.append(file) }
        }
        guard let first = files.first else {
            throw TraceError(inputs.first?.name ?? "", .whole, "empty; pass a trace with requests")
        }
        (self.format, isGuessed) = (first.layout.format, format == nil && layout == nil)
        if let other = files.first(where: { $0.layout.format != first.layout.format }) {
            throw TraceError(
                other.name, .whole,
                "has the format \(other.layout.format.rawValue), and \(first.name) has \(first.layout.format.rawValue); files of one "
                    + "trace have one format, which --trace-format names where it is recognised wrongly")
        }
        if files.count > 1 { try order(byTimesOf: first.name) }
    }

    /// Reads the first requests, and finds out whether the files have times.
    private mutating func order(byTimesOf first: String) throws(TraceError) {
        for index in files.indices {
            heads.append(try files[index].next())
            if let head = heads[index] { names.note(head, in: index) }
        }
        let timed = files.indices.filter { heads[$0]?.time != nil }
        let untimed = files.indices.filter { heads[$0] != nil && heads[$0]?.time == nil }
        guard let odd = untimed.first else {
            let times = FileTimes(timed.map { (heads[$0]?.time ?? 0, $0) })
            if isPlain {
                merge = PlainMerge(heads, times)
                heads = []
            } else {
                self.times = times
            }
            return
        }
        guard let other = timed.first else { return }
        throw TraceError(
            files[odd].name, .whole,
            "has no times, and \(files[other].name) has some; join the files with cat, in the order of their requests")
    }

    /// Whether requests can be read in blocks.
    package var isPlain: Bool { files.allSatisfy(\.isPlain) }

    /// Reads requests without URL and HTTP metadata: as many as the buffer has, up to the block's capacity.
    ///
    /// - Parameter block: replaced; empty if the next request, the end or an error has to come from ``next()``.
    package mutating func read(into block: inout [PlainRequest]) throws(TraceError) {
        block.removeAll(keepingCapacity: true)
        if merge != nil {
            try merge?.read(into: &block, &files)
        } else if times == nil, current < files.count, current >= heads.count || heads[current] == nil {
            try files[current].read(into: &block)
        }
        count += block.count
        if isSuspect { for request in block where isSuspect { noteSize(of: request.id, request.size) } }
    }

    /// The next request.
    ///
    /// - Returns: `nil` at the end of the trace.
    /// - Throws: ``TraceError`` at a fault that isn't skipped; reading ends there.
    package mutating func next() throws(TraceError) -> TraceRequest? {
        let request: TraceRequest?
        if let ready = settled?.popReady() {
            request = ready
        } else if settled?.isPassing == false, var settled = self.settled.take() {
            defer { self.settled = settled }
            request = try settled.next { () throws(TraceError) in try nextAsLogged() }
        } else {
            request = try nextAsLogged()
        }
        if let request {
            count += 1
            if isSuspect { noteSize(of: request.id, request.size) }
        }
        return request
    }

    /// Watches whether all requests are for one object of 0 bytes.
    private mutating func noteSize(of id: UInt64, _ size: Int?) {
        isSuspect = (suspect ?? id) == id && size == 0
        suspect = id
    }

    private mutating func nextAsLogged() throws(TraceError) -> TraceRequest? {
        if merge != nil { return try merge?.next(&files).map { TraceRequest($0) } }
        return times == nil ? try nextInTurn() : try earliest()
    }

    /// Treats sizes that differ by a header's worth as one, if the log counts headers; see ``SettledSizes``. Call it
    /// before reading.
    ///
    /// - Parameter isNeeded: whether an object's sizes are used; `nil` for every object.
    package mutating func settleSizes(of isNeeded: (@Sendable (UInt64) -> Bool)? = nil) {
        if format.mayCountHeaders { settled = SettledSizes(isNeeded: isNeeded) }
    }

    /// Whether sizes are settled in a log that may count headers.
    var isSettlingSizes: Bool { settled?.isSettling ?? false }

    /// What was changed in the sizes so far.
    package var settledSizes: SettledSizesSummary { settled?.summary ?? SettledSizesSummary() }

    private mutating func nextInTurn() throws(TraceError) -> TraceRequest? {
        while current < files.count {
            if current < heads.count, let head = heads[current].take() { return head }
            if let request = try files[current].next() {
                if files.count > 1 { names.note(request, in: current) }
                return request
            }
            current += 1
        }
        return nil
    }

    private mutating func earliest() throws(TraceError) -> TraceRequest? {
        // The next request is read only now, so that an error is thrown after the last one has been used.
        if let file = times?.first, heads[file] == nil {
            heads[file] = try files[file].next()
            if let head = heads[file] { times?.advance(to: head.time) } else { times?.removeFirst() }
            if let head = heads[file] { names.note(head, in: file) }
        }
        return times?.first.flatMap { heads[$0].take() }
    }
}

extension TraceReader {
    /// The trace, as the user named it; the first of several files.
    package var name: String { files[0].name }

    /// The layout of the (first) file.
    package var layout: TraceLayout { files[0].layout }

    /// Skipped lines or entries so far, which hold no request.
    package var skipped: Int { files.reduce(0) { $0 + $1.skipped } }

    /// The first of them in the first file that has any.
    package var firstSkipped: TraceError? { files.lazy.compactMap(\.firstSkipped).first }

    /// Identifies the trace; `nil` unless it was read to its end.
    package var digest: TraceDigest? {
        guard heads.allSatisfy({ $0 == nil }), merge?.isEmpty ?? true else { return nil }
        let digests = files.compactMap(\.digest)
        return digests.count == files.count ? TraceDigest(of: digests) : nil
    }

    /// What was missing in the requests so far and filled in.
    package var guesses: TraceGuesses { files.reduce(TraceGuesses()) { $0 + $1.guesses } }

    /// The error if more was skipped than read, apart from what was no request of HTTP: such figures wouldn't be the
    /// trace's.
    package var loss: TraceError? {
        let skipped = files.reduce(0) { $0 + $1.skipped - $1.foreign }
        guard let firstSkipped, skipped > files.reduce(0, { $0 + $1.count }) else { return nil }
        return TraceError(
            name, .whole,
            "more was skipped than read: \(skipped) lines or entries against \(count) requests, so the figures are not "
                + "those of the trace; name its format, or pass --skip-damaged if that is right. The first fault: "
                + "\(firstSkipped)")
    }

    /// A warning about recordings without a name in common; `nil` if there's none.
    package var strangers: String? {
        names.isStrange.map {
            "\(files[$0].name) has no name in common with the other recordings, " + RecordedNames.remedy
        }
    }

    /// The error if a trace makes no sense in the format in which it was read.
    package var nonsense: TraceError? {
        guard isSuspect, count >= 8 else { return nil }
        return TraceError(
            name, .whole,
            "\(count) requests for one object of 0 bytes, so it has hardly the format \(format.rawValue); name the right one "
                + "with --trace-format, or its columns with --fields")
    }

    package var noRequest: TraceError {
        guard let firstSkipped else { return TraceError(name, .whole, "holds no request") }
        return TraceError(
            name, .whole,
            "holds no request of the format \(format.rawValue); if it has another, pass --trace-format. The first fault: \(firstSkipped)"
        )
    }

    /// A warning about skipped lines or entries; `nil` if there are none.
    package var skipWarning: String? {
        firstSkipped.map { first in
            skipped == 1
                ? "1 line or entry without a request was skipped: \(first)"
                : "\(skipped) lines or entries without a request were skipped, the first of them: \(first)"
        }
    }

    /// The faults that a reader skips and counts, instead of stopping there.
    package enum Skipping: Sendable {
        /// Nothing.
        case nothing
        /// What programs write into their logs beside requests, and a last line that may be cut.
        case noise
        /// Every damaged request.
        case damage

        func includes(_ error: TraceError) -> Bool {
            switch self {
            case .nothing: false
            case .noise: error.isNoise
            case .damage: error.isSkippable
            }
        }
    }
}

/// The names in an application's recordings (`RequestRecorder`). They are hashes under a secret: recordings under
/// different secrets share none, and can't be one trace. Takes 64 bytes for each of at most 65,536 names of a file.
struct RecordedNames {
    static let remedy =
        "so the same URL has a name of its own in it; record every launch with one key: RequestRecorder(keys: "
        + ".hashedUnder(key))"

    private static let prefix = "https://recorded.invalid/"
    private static let most = 1 << 16

    private var files: [Int: Set<UInt64>] = [:]

    mutating func note(_ request: TraceRequest, in file: Int) {
        guard let url = request.url, url.hasPrefix(Self.prefix), files[file]?.count ?? 0 < Self.most else { return }
        files[file, default: []].insert(request.id)
    }

    /// The first file that shares no name with any other; `nil` if there's none, or too many names to tell.
    var isStrange: Int? {
        guard files.count > 1, files.values.allSatisfy({ $0.count < Self.most }) else { return nil }
        return files.keys.sorted().first { file in
            files.allSatisfy { $0.key == file || $0.value.isDisjoint(with: files[file] ?? []) }
        }
    }
}
