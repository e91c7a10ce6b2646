import GaugeTraces
import Platform

/// Tries keys, two of which have the same hash. For well-known hashes such keys are found first. For any other, it
/// stores so many keys that some collide in 32 bits: of 262,144 keys, 8 pairs on average.
enum ManyKeys {
    private static let count = 1 << 18
    /// Pairs per hash; some have thousands.
    private static let pairCount = 12
    /// Even a slow subject gets this many keys.
    static let fewest = 1 << 7

    /// - Throws: ``PromiseBroken`` if an answer is another key's; errors of the subject.
    static func check(_ trial: Trial) throws {
        let start = monotonicNanoseconds()
        let isOver = { (share: Double) in Double(monotonicNanoseconds() - start) > trial.model.seconds * 1e9 * share }
        try tryTogether(ModelKeys.pairs, sharing: nil, trial)
        let urls = CollidingURLs(count: count, seed: trial.model.seed)
        try tryPairs(urls, trial) { isOver(0.3) }
        try tryMany((0..<count).map { SubjectRequest(urls.url($0)) }, trial, isOver)
    }

    // MARK: Pairs

    typealias Pair = (SubjectRequest, SubjectRequest)

    private static func tryPairs(_ urls: CollidingURLs, _ trial: Trial, isOver: () -> Bool) throws {
        for hash in WeakHash.all where !isOver() {
            let pairs = urls.pairs(hash).prefix(pairCount).map { (SubjectRequest($0), SubjectRequest($1)) }
            try tryTogether(pairs, sharing: hash.name, trial)
        }
    }

    /// Tries all pairs in one cache, in each tier, and blames the first pair that shows the fault alone.
    ///
    /// - Parameter hash: what both keys of each pair have in common; `nil` if the pairs differ in that.
    static func tryTogether(_ pairs: [Pair], sharing hash: String?, _ trial: Trial) throws {
        for tier in [SubjectCapabilities.memory, .disk] where trial.capabilities.contains(tier) {
            let begin = {
                try trial.begin(memory: tier == .memory ? 1 << 24 : 0, disk: tier == .disk ? 1 << 24 : 0)
            }
            do {
                try trial.silently(true) { try tryAll(pairs, trial, begin) }
            } catch is PromiseBroken {
                if let alone = try alone(pairs, trial, begin) {
                    throw again(alone, hash.map { "; both have the same \($0)" } ?? "", trial)
                }
                do { try tryAll(pairs, trial, begin) } catch let broken as PromiseBroken {
                    throw again(broken, "", trial)
                }
            }
        }
    }

    private static func tryAll(_ pairs: [Pair], _ trial: Trial, _ begin: () throws -> Void) throws {
        try begin()
        for pair in pairs { try tryPair(pair, trial) }
    }

    /// The fault of the first pair that fails alone, so that the report has few steps.
    private static func alone(_ pairs: [Pair], _ trial: Trial, _ begin: () throws -> Void) throws -> PromiseBroken? {
        for pair in pairs {
            try begin()
            do { try tryPair(pair, trial) } catch let broken as PromiseBroken { return broken }
        }
        return nil
    }

    /// Stores both keys and looks both up.
    static func tryPair(_ pair: Pair, _ trial: Trial) throws {
        try trial.store(pair.0, bytes: 100)
        _ = try trial.lookUp(pair.1)
        try trial.store(pair.1, bytes: 200)
        _ = try trial.lookUp(pair.0)
        _ = try trial.lookUp(pair.1)
    }

    private static func again(_ broken: PromiseBroken, _ reason: String, _ trial: Trial) -> PromiseBroken {
        PromiseBroken(broken.description + reason, repeating: "--seed \(trial.model.seed)")
    }

    // MARK: Many keys

    /// Stores the keys, and looks them all up.
    ///
    /// - Parameter isOver: whether this share of the time is over.
    static func tryMany(_ keys: [SubjectRequest], _ trial: Trial, _ isOver: (Double) -> Bool) throws {
        let hasMemory = trial.capabilities.contains(.memory)
        try trial.begin(memory: hasMemory ? 1 << 29 : 0, disk: hasMemory ? 0 : 1 << 29)
        let (subject, buffer) = (try trial.driven(), PayloadBuffer(capacity: Payload.headerCount))
        // A slow subject gets fewer keys.
        var stored = 0
        while stored < keys.count, stored < fewest || stored % 64 != 0 || !isOver(0.7) {
            let body = buffer.body(key: Trial.id(keys[stored]), version: 1, count: Payload.headerCount)
            try subject.store(keys[stored], body)
            stored += 1
        }
        trial.note("store \(keys[0].text) and the other keys of this seed up to \(keys[stored - 1].text)")
        trial.note("look all of them up")
        var found = 0
        // If not all fit, the last are still there.
        for number in (0..<stored).reversed() {
            if number % 64 == 0, stored - number > fewest, isOver(1) { break }
            guard let body = try subject.body(of: keys[number]) else { continue }
            found += 1
            let owner = body.withUnsafeBytes { Payload.identity(of: $0)?.key }
            if owner != Trial.id(keys[number]) { try blame(body, owner, number, keys, trial) }
        }
        try expect(found > 0, "found not a single one")
    }

    /// Finds whose body it was, for the report, and throws.
    private static func blame(
        _ body: [UInt8], _ owner: UInt64?, _ number: Int, _ keys: [SubjectRequest], _ trial: Trial
    ) throws {
        trial.note("look up \(keys[number].text)")
        if let owner = keys.first(where: { Trial.id($0) == owner }) { trial.name(owner) }
        do {
            _ = try trial.version(of: body, for: keys[number])
        } catch let broken as PromiseBroken {
            throw again(broken, "", trial)
        }
    }
}

/// Many URLs of one length, and the pairs that have the same weak hash.
struct CollidingURLs {
    private static let prefix = "https://a.example/"
    private static let letters = Array("abcdefghijkmnopqrstuvwxyz2345678".utf8)
    private static let randomCount = 14
    /// Short enough for texts of one block of a message digest.
    private static let length = prefix.utf8.count + randomCount
    private let texts: [UInt8]
    private let count: Int

    /// - Parameter count: how many URLs; of 262,144, eight pairs on average agree in a hash of 32 bits.
    init(count: Int, seed: UInt64) {
        var random = Xoshiro256(seed: seed, "pairs")
        var texts: [UInt8] = []
        texts.reserveCapacity(count * Self.length)
        for _ in 0..<count {
            texts += Self.prefix.utf8
            var bits = random.next()
            for _ in 0..<Self.randomCount {
                texts.append(Self.letters[Int(bits % 32)])
                bits /= 32
            }
        }
        (self.texts, self.count) = (texts, count)
    }

    /// All pairs of different URLs with the same hash. Takes tens of milliseconds for 262,144 URLs.
    func pairs(_ hash: WeakHash) -> [(String, String)] {
        let length = Self.length
        var hashes = texts.withUnsafeBytes { texts in
            (0..<count).map { number in
                let text = UnsafeRawBufferPointer(rebasing: texts[number * length..<(number + 1) * length])
                return UInt64(hash.value(text)) << 32 | UInt64(number)
            }
        }
        hashes.sort()
        var pairs: [(String, String)] = []
        for (one, other) in zip(hashes, hashes.dropFirst()) where one >> 32 == other >> 32 {
            let (one, other) = (url(Int(one & 0xFFFF_FFFF)), url(Int(other & 0xFFFF_FFFF)))
            if one != other { pairs.append((one, other)) }
        }
        return pairs
    }

    func url(_ number: Int) -> String {
        String(decoding: texts[number * Self.length..<(number + 1) * Self.length], as: UTF8.self)
    }
}
