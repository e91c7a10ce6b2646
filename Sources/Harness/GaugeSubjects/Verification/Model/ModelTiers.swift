import GaugeSupport
import GaugeTraces

/// The tiers of the cache that a sequence is tried on.
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

    /// The tiers that can show the faults of a kind, for a subject with these capabilities. Never empty.
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
