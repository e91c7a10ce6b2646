import GaugeTraces

/// A random sequence of steps and the cache to try them on. Seed, kind and the subject's capabilities decide
/// everything, so a seed and some step numbers repeat a failure.
package struct ModelSequence: Sendable {
    /// What a sequence tries; each kind needs other steps.
    package enum Kind: String, Sendable { case answers, killed, held, kept, usage, threads }

    package let kind: Kind
    package let seed: UInt64
    let tiers: ModelTiers
    /// Capacities at the beginning, bytes.
    package private(set) var memory = 0
    package private(set) var disk = 0
    package private(set) var keys: [SubjectRequest] = []
    package private(set) var steps: [ModelStep] = []
    /// Threads that share the steps in turn; 1 except for the kind `threads`.
    package private(set) var threads = 1
    /// Whether threads are paused amid operations.
    private(set) var pauses = false
    /// Whether the capacities admit bodies of many pages.
    private var isRoomy = false
    /// Whether the subject keeps to capacities of bytes.
    private let isBounded: Bool
    var isInStep: Bool { tiers.isInStep }
    private let limits: SubjectLimits

    /// - Parameters:
    ///   - seed: decides the steps.
    ///   - capabilities: what the subject is able to do.
    ///   - limits: those of the subject, which bodies that must be held don't exceed.
    package init(
        _ kind: Kind, seed: UInt64, capabilities: SubjectCapabilities, limits: SubjectLimits = SubjectLimits()
    ) {
        (self.kind, self.seed, self.limits) = (kind, seed, limits)
        isBounded = capabilities.contains(.capacity)
        var random = Xoshiro256(seed: seed, "model")
        let choices = ModelTiers.choices(kind, capabilities)
        tiers = choices[Int(seed % UInt64(choices.count))]
        isRoomy = kind == .answers && random.whole(5) == 0
        chooseCapacities(tiers, isHeld: capabilities.contains(.capacity) || capabilities.countsEntries, &random)
        let keyCount = keyCount(&random)
        let isVaried = [.answers, .killed, .kept].contains(kind) && keyCount <= 256
        keys = ModelKeys.requests(keyCount, isVaried ? nil : 0, &random)
        if kind == .threads { threads = 2 + random.whole(3) }
        let count = stepCount(&random)
        if kind == .held {
            appendHotSteps(count, capabilities, &random)
        } else if isInStep {
            appendColdSteps(&random)
        } else {
            // More entries than a byte can number or a small table hold.
            if kind == .kept, keys.count > 256 {
                steps += keys.indices.map { .store(key: $0, bytes: bodyCount(&random)) }
            }
            appendSteps(count, capabilities, &random)
        }
        guard kind != .threads else {
            pauses = random.whole(2) == 0
            return
        }
        // Without the disk only memory can answer.
        if kind == .held, disk > 0, capabilities.contains(.resize) { steps.append(.resize(memory: memory, disk: 0)) }
        steps += keys.indices.map { .lookUp(key: $0) }
    }

    private mutating func appendSteps(_ count: Int, _ capabilities: SubjectCapabilities, _ random: inout Xoshiro256) {
        var (recent, isOff): ([Int], Bool) = ([], false)
        // A body as long as the one before may be written in its place.
        var (lengths, same) = ([Int: Int](), Xoshiro256(seed: seed, "lengths"))
        for _ in 0..<count {
            if isOff, random.whole(8) == 0 {
                steps.append(resize(&random))
                isOff = false
            }
            // A defect often shows in the next steps on the same key; between memory and disk, on keys not used lately.
            let isRecent = !recent.isEmpty && random.whole(2) == 0 && !(kind == .threads && tiers.evicts)
            var step = step(
                isRecent ? recent[random.whole(recent.count)] : random.whole(keys.count), capabilities, &random)
            var isSame = false
            if case .store(let key, let bytes) = step {
                isSame = same.whole(3) == 0 && lengths[key] != nil
                let bytes = isSame ? lengths[key] ?? bytes : bytes
                step = .store(key: key, bytes: bytes)
                lengths[key] = bytes
            }
            steps.append(step)
            // Overwritten bytes are read before they are evicted or replaced.
            if isSame, kind != .threads, let key = step.key { steps.append(.lookUp(key: key)) }
            if case .resize(let memory, let disk) = step { isOff = memory == 0 && disk == 0 }
            guard let key = step.key else { continue }
            recent = recent.suffix(5) + [key]
            if case .remove = step, kind != .threads, random.whole(2) == 0 { steps.append(.lookUp(key: key)) }
        }
    }

    /// For one key after the other that memory has evicted since its last turn: two or more threads look it up, store
    /// it or remove it at the same time, and then all look it up.
    private mutating func appendColdSteps(_ random: inout Xoshiro256) {
        for key in keys.indices {
            steps += [.lookUp(key: key), .store(key: key, bytes: bodyCount(&random))]
            for _ in 2..<threads {
                let step = step(key, [], &random)
                steps.append(step.key == nil ? .lookUp(key: key) : step)
            }
            steps += (0..<threads).map { _ in .lookUp(key: key) }
        }
    }

    /// Stores that fill the memory, amid lookups of a few keys that stay in use for some time. One sequence in four
    /// removes much, and another one everything: both keep the memory from being full.
    private mutating func appendHotSteps(
        _ count: Int, _ capabilities: SubjectCapabilities, _ random: inout Xoshiro256
    ) {
        var (stored, hot): ([Int], [Int]) = ([], [])
        var removals = Xoshiro256(seed: seed, "removals")
        let removing = removals.whole(4)
        for number in 0..<count + 60 {
            if number % 50 == 0 { hot = stored.isEmpty ? [] : (0..<3).map { _ in stored[random.whole(stored.count)] } }
            let key = random.whole(keys.count)
            if removing == 0, !stored.isEmpty, removals.whole(6) == 0 {
                let removed = stored[removals.whole(stored.count)]
                if !hot.contains(removed) { steps.append(.remove(key: removed)) }
            }
            switch random.whole(100) {
            case 0..<3: steps.append(.remove(key: key))
            case 3..<35 where !hot.isEmpty: steps.append(.lookUp(key: hot[random.whole(hot.count)]))
            case 35..<45: steps.append(.lookUp(key: key))
            case 46 where removing == 1 && capabilities.contains(.removalOfAll):
                steps.append(.removeAll)
                (stored, hot) = ([], [])
            case 45 where capabilities.contains(.resize):
                steps.append(.resize(memory: memoryCapacity(&random), disk: disk))
            default:
                guard !hot.contains(key) else { continue }
                steps.append(.store(key: key, bytes: bodyCount(&random)))
                stored.append(key)
            }
        }
    }

    private mutating func chooseCapacities(_ tiers: ModelTiers, isHeld: Bool, _ random: inout Xoshiro256) {
        if tiers.hasMemory { memory = isHeld ? memoryCapacity(&random) : 1 << 24 }
        if tiers.hasDisk { disk = isHeld ? diskCapacity(&random) : 1 << 26 }
    }

    /// Small enough that sequences fill it.
    private func memoryCapacity(_ random: inout Xoshiro256) -> Int {
        switch kind {
        case .held: 100_000 + random.whole(100_000)
        // Whatever is stored: memory is large, or it's all on disk too.
        case .kept: tiers.hasDisk && random.whole(2) == 0 ? 8_000 + random.whole(12_000) : (8 + random.whole(8)) << 20
        case .threads: tiers.evicts ? 50_000 : 1 << 20
        // Between two tiers, defects show where memory evicts.
        case .answers where isRoomy: 4 << 20
        case .answers where tiers.hasDisk: 20_000 + random.whole(150_000)
        case .answers, .killed, .usage: 50_000 + random.whole(150_000)
        }
    }

    private func diskCapacity(_ random: inout Xoshiro256) -> Int {
        if kind == .threads, tiers.evicts, !tiers.hasMemory { return 100_000 }
        if isRoomy { return 4 << 20 }
        if kind == .kept { return (16 + random.whole(16)) << 20 }
        return kind == .threads || kind == .held ? 1 << 22 : (1 + random.whole(4)) << 18
    }

    private func keyCount(_ random: inout Xoshiro256) -> Int {
        switch kind {
        case .threads: tiers.evicts ? 40 + random.whole(20) : 1 + random.whole(4)
        case .held: 45 + random.whole(60)
        case .kept: random.whole(6) == 0 ? 257 + random.whole(500) : 4 + random.whole(40)
        case .answers where isRoomy: 4 + random.whole(60)
        case .answers where memory > 0 && disk > 0: 4 + random.whole(memory / 600)
        case .answers: 4 + random.whole(252)
        case .usage where tiers.evicts: 60 + random.whole(60)
        case .killed, .usage: 4 + random.whole(60)
        }
    }

    /// How many operations. Some sequences are long, since a defect may show only in every hundredth operation.
    private func stepCount(_ random: inout Xoshiro256) -> Int {
        switch kind {
        case .threads: threads * (tiers.evicts ? 20 + random.whole(40) : 2 + random.whole(4))
        case .answers, .held, .usage: random.whole(4) == 0 ? 400 + random.whole(1_600) : 40 + random.whole(200)
        case .killed, .kept: 40 + random.whole(200)
        }
    }

    private func step(_ key: Int, _ capabilities: SubjectCapabilities, _ random: inout Xoshiro256) -> ModelStep {
        let bytes = bodyCount(&random)
        let changes = kind == .answers || kind == .killed || kind == .kept
        // It would hide a drift of the usage, which the other half of the sequences tries.
        let removesAll = changes || kind == .usage && !UsageJudge.triesDrift(seed: seed)
        switch random.whole(100) {
        case 0 where removesAll && capabilities.contains(.removalOfAll): return .removeAll
        case 0..<12: return .remove(key: key)
        case 12..<23 where kind == .threads: return wholeStep(capabilities, &random) ?? .lookUp(key: key)
        case 19..<20 where changes && capabilities.contains(.removalSince): return .removeLater
        case 12..<16 where kind == .killed: return .kill(storing: key, bytes: bytes)
        case 16..<19 where disk > 0 && changes: return .reopen
        case 19..<21 where disk > 0 && kind != .threads: return .settle
        case 21..<23 where changes && capabilities.contains(.resize),
            23..<27 where kind == .kept && capabilities.contains(.resize):
            // A cache that was switched off must not come back with its old contents.
            if kind != .kept, random.whole(3) == 0 { return .resize(memory: 0, disk: 0) }
            return resize(&random)
        case 23..<60: return .lookUp(key: key)
        default: return .store(key: key, bytes: bytes)
        }
    }

    /// A step on the whole cache, amid others. Where memory has to evict, one sequence in four removes everything.
    private func wholeStep(_ capabilities: SubjectCapabilities, _ random: inout Xoshiro256) -> ModelStep? {
        let resize = ModelStep.resize(memory: memory >> random.whole(2), disk: disk >> random.whole(2))
        var choices: [(SubjectCapabilities, ModelStep)] = [
            (.removalSince, .removeLater), (.resize, resize), (.capacity, .readUsage),
        ]
        var removals = Xoshiro256(seed: seed, "removals")
        if !tiers.evicts || removals.whole(4) == 0 { choices.append((.removalOfAll, .removeAll)) }
        let possible = choices.filter { capabilities.contains($0.0) }.map(\.1)
        return possible.isEmpty ? nil : possible[random.whole(possible.count)]
    }

    private func resize(_ random: inout Xoshiro256) -> ModelStep {
        .resize(memory: memory == 0 ? 0 : memoryCapacity(&random), disk: disk == 0 ? 0 : diskCapacity(&random))
    }

    /// Mostly short bodies, and a few too large for a tier of these capacities.
    private func bodyCount(_ random: inout Xoshiro256) -> Int {
        let shortest = 40
        switch kind {
        case .usage where tiers.evicts: return shortest + random.whole(memory / 25)
        // All fit into half of the capacity.
        case .usage:
            let capacity = max(memory, disk)
            return shortest + random.whole(min(capacity / 25, capacity / keys.count / 4) - shortest)
        case .threads where tiers.evicts: return 1_500 + random.whole(700)
        case .threads: return random.whole(2) == 0 ? 4_000 : 200 + random.whole(9_000)
        case .held: return 1_000 + random.whole(Self.largest(limits, of: memory) - 2_100)
        case .kept: return shortest + random.whole(random.whole(4) == 0 ? 4_000 : 1_000)
        case .answers, .killed:
            let limit = memory > 0 ? memory : disk
            let ends = (0..<12).count { 64 << $0 <= limit / 20 }
            switch random.whole(20) {
            // More than a whole tier.
            case 0 where isBounded && random.whole(4) == 0:
                return 1 + (random.whole(2) == 0 ? limit : max(memory, disk))
            case 0: return limit / 20 + 1 + random.whole(limit / 20)
            case 1..<6: return shortest + random.whole(isRoomy ? 20_000 : limit / 25)
            // Where buffers and pages end.
            case 6..<8,
                8..<11 where isRoomy:
                return (64 << random.whole(ends)) - 1 + random.whole(3)
            case 8..<14 where !isRoomy: return shortest + random.whole(limit / 40)
            default: return shortest + random.whole(1_500)
            }
        }
    }

    /// The longest entry that memory must admit, bytes: 5 % of the capacity, unless the subject declares less.
    static func largest(_ limits: SubjectLimits, of capacity: Int) -> Int {
        let part = limits.largestPart.map { Int(($0 * Double(capacity)).rounded(.up)) }
        return min(capacity / 20, part ?? .max, limits.largestBody ?? .max)
    }
}

extension Xoshiro256 {
    mutating func whole(_ bound: Int) -> Int { Int(next(below: UInt64(max(1, bound)))) }
}
