import GaugeTraces

/// A step of a random sequence. Keys are indices in the sequence's list of requests.
package enum ModelStep: Hashable, Sendable {
    /// Stores a new version.
    case store(key: Int, bytes: Int)
    case lookUp(key: Int)
    case remove(key: Int)
    /// Changes the capacities, bytes.
    case resize(memory: Int, disk: Int)
    case settle
    /// Removes what was stored since a moment in the future, i.e. nothing.
    case removeLater
    case removeAll
    case readUsage
    /// Closes the subject and reopens it on its files.
    case reopen
    /// Kills the subject's process while it stores a new version, and reopens it on its files.
    case kill(storing: Int, bytes: Int)

    var key: Int? {
        switch self {
        case .store(let key, _), .lookUp(let key), .remove(let key), .kill(let key, _): key
        case .resize, .settle, .removeLater, .removeAll, .readUsage, .reopen: nil
        }
    }

    var bytes: Int? {
        switch self {
        case .store(_, let bytes), .kill(_, let bytes): bytes
        case .lookUp, .remove, .resize, .settle, .removeLater, .removeAll, .readUsage, .reopen: nil
        }
    }

    /// - Parameter memory: a memory capacity as text; bytes by default.
    func text(
        _ keys: [SubjectRequest], version: UInt64, memory text: (Int) -> String = { "\(ByteSize(bytes: $0))" }
    ) -> String {
        switch self {
        case .store(let key, let bytes): "store \(keys[key].text): version \(version), \(bytes) bytes"
        case .lookUp(let key): "look up \(keys[key].text)"
        case .remove(let key): "remove \(keys[key].text)"
        case .resize(let memory, let disk):
            "change the capacities to \(text(memory)) and \(ByteSize(bytes: disk))"
        case .settle: "settle"
        case .removeLater: "remove all that was stored since a moment in an hour"
        case .removeAll: "remove everything"
        case .readUsage: "read the usage"
        case .reopen: "close, and open again"
        case .kill(let key, let bytes):
            "kill the process while it stores \(keys[key].text): version \(version), \(bytes) bytes; open again"
        }
    }
}

/// The tiers of the cache under a sequence.
struct ModelTiers: Hashable {
    var hasMemory = false
    var hasDisk = false
    /// Whether more entries are used than memory holds, if the kind tries both.
    var evicts = false
    /// Whether threads begin their steps together, on keys that memory has evicted.
    var isInStep = false

    /// Tiers that evict while threads use them.
    private static func evicting(_ capabilities: SubjectCapabilities) -> [ModelTiers] {
        let hasDisk = capabilities.contains(.disk)
        let disk = ModelTiers(hasDisk: true, evicts: true)
        return [disk]
            + [false, true].map { ModelTiers(hasMemory: true, hasDisk: hasDisk, evicts: true, isInStep: $0) }
    }

    /// The tiers that can show a kind's faults, for a subject with these capabilities; never empty.
    static func choices(_ kind: ModelSequence.Kind, _ capabilities: SubjectCapabilities) -> [ModelTiers] {
        let memory = ModelTiers(hasMemory: true)
        let disk = ModelTiers(hasDisk: true)
        let both = ModelTiers(hasMemory: true, hasDisk: true)
        let wanted =
            switch kind {
            case .killed: [disk, both]
            case .usage: [memory, ModelTiers(hasMemory: true, evicts: true), disk]
            case .held: [memory, both]
            case .answers, .kept: [memory, disk, both]
            case .threads:
                [memory, disk, both]
                    + (capabilities.contains(.capacity) || capabilities.countsEntries ? evicting(capabilities) : [])
            }
        let possible = wanted.filter {
            (!$0.hasMemory || capabilities.contains(.memory)) && (!$0.hasDisk || capabilities.contains(.disk))
        }
        return possible.isEmpty ? [memory] : possible
    }
}
