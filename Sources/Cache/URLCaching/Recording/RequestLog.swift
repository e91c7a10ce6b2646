import CacheTiers

/// A recorder's requests: each points to its answer, so a hit takes 16 bytes.
struct RequestLog: Sendable {
    struct Request: Sendable {
        /// Microseconds since 1970.
        let time: Int64
        let answer: UInt32
    }

    private(set) var requests = RequestChunks()
    private(set) var answers: [RecordedAnswer] = []
    private(set) var dropped = 0
    /// The last answer for each key: a table with open addressing, at most half full, of indices plus one.
    private var slots = [UInt32](repeating: 0, count: 64)
    private var hashes: [KeyHash] = []
    private var keyCount = 0
    private var bytes = 0
    private let limit: Int

    init(limit: Int) { self.limit = limit }

    /// Adds a request answered by a stored response, if the last answer of its key was that response.
    ///
    /// - Returns: whether the answer is known.
    mutating func addHit(_ hash: KeyHash, status: Int, size: Int, at time: Int64) -> Bool {
        let slot = slots[place(of: hash)]
        // A part, a 304 or an error is not the stored response, and a hit does not have another request's fields.
        guard slot != 0, answers[Int(slot) - 1].isStored(status: status, size: size) else { return false }
        append(slot - 1, at: time)
        return true
    }

    mutating func add(_ answer: RecordedAnswer, _ hash: KeyHash, at time: Int64) {
        let place = place(of: hash)
        if slots[place] != 0, answers[Int(slots[place]) - 1] == answer {
            return append(slots[place] - 1, at: time)
        }
        let count = answer.byteCount + 64
        guard bytes + count <= limit, answers.count < Int(UInt32.max) - 1 else {
            dropped += 1
            return
        }
        bytes += count
        answers.append(answer)
        hashes.append(hash)
        append(UInt32(answers.count - 1), at: time)
        // A later hit does not have the answer to another method.
        guard answer.isGet else { return }
        if slots[place] == 0 { keyCount += 1 }
        slots[place] = UInt32(answers.count)
        if 2 * keyCount > slots.count { grow() }
    }

    mutating func removeAll() { self = RequestLog(limit: limit) }

    private mutating func append(_ answer: UInt32, at time: Int64) {
        guard bytes + 16 <= limit else {
            dropped += 1
            return
        }
        bytes += 16
        requests.append(Request(time: time, answer: answer))
    }

    private func place(of hash: KeyHash) -> Int {
        var place = Int(truncatingIfNeeded: hash.low) & (slots.count - 1)
        while slots[place] != 0, hashes[Int(slots[place]) - 1] != hash { place = (place + 1) & (slots.count - 1) }
        return place
    }

    private mutating func grow() {
        let old = slots
        slots = [UInt32](repeating: 0, count: 2 * old.count)
        for slot in old where slot != 0 { slots[place(of: hashes[Int(slot) - 1])] = slot }
    }
}

/// Requests in order of arrival, in pieces of 64 KiB. Appending never copies earlier ones. An array would when it
/// grows, or when it is written to while a trace is made from a copy of it.
struct RequestChunks: Sendable {
    private static let chunk = 4096

    private var full: [[RequestLog.Request]] = []
    private var last: [RequestLog.Request] = []

    var count: Int { full.count * Self.chunk + last.count }

    mutating func append(_ request: RequestLog.Request) {
        if last.count == Self.chunk {
            full.append(last)
            last = []
        }
        if last.isEmpty { last.reserveCapacity(Self.chunk) }
        last.append(request)
    }

    func forEach(_ body: (RequestLog.Request) -> Void) {
        for chunk in full { chunk.forEach(body) }
        last.forEach(body)
    }
}
