import GaugeTraces

/// How a trace is replayed.
package struct ReplaySettings: Sendable {
    /// The configuration of the subject.
    package var configuration: SubjectConfiguration
    /// Gives keys their body sizes if the trace has no sizes.
    package var sizes: BodySizes
    /// Gives keys their URLs if the trace has no URLs.
    package var urls: RequestURLs

    /// Decide which responses may be reused and stored, if the trace has HTTP metadata.
    package var rules: any CachingRules = RulesOfThumb()
    /// The rule by which the cache counts and admits entries, as far as ``AccessRules`` have to know it.
    package var admission = AdmissionRule.any
    /// The meaning of a size that differs from the one of the last request for the object.
    package var sizeChanges = SizeChanges.version
    /// When requests are sent.
    package var pace = ReplayPace.closedLoop
    /// Whether to compute how well other caches could have done.
    package var wantsBounds = true

    /// Replays into a subject made from `configuration`, with bodies of ``BodySizes/Distribution/oneSize`` for traces
    /// without sizes, and URLs drawn from `seed` for those without.
    package init(configuration: SubjectConfiguration, seed: UInt64) {
        self.configuration = configuration
        sizes = BodySizes(.oneSize, seed: seed)
        urls = RequestURLs(seed: seed)
    }

    /// The rules that a simulation of the subject would share.
    package var accessRules: AccessRules {
        var accessRules = AccessRules(sizes: sizes, urls: urls)
        accessRules.caching = rules
        accessRules.admission = admission
        accessRules.sizeChanges = sizeChanges
        accessRules.countsBytes = configuration.entryLimit == nil
        return accessRules
    }

    /// The longest body that is given to the subject, bytes. No tier could keep a larger one, so making it would be
    /// wasted work.
    package var longestBody: Int {
        if configuration.entryLimit != nil { return Self.standInCount }
        return min(max(configuration.memoryCapacity, configuration.diskCapacity), AdmissionRule.longestBody)
    }

    /// Bytes of the body made for an object of a given size: the same, but enough for the body to name its key.
    package func bodyCount(ofSize size: Int) -> Int {
        configuration.entryLimit == nil ? max(size, Payload.headerCount) : Self.standInCount
    }

    /// The capacity of the caches that a subject is compared with: as many bytes of bodies as all its tiers together,
    /// since no two tiers need to hold the same body.
    package func boundedCapacity(of capabilities: SubjectCapabilities) -> Bounds.Capacity {
        if let entries = configuration.entryLimit { return .entries(entries) }
        let memory = capabilities.contains(.memory) ? configuration.memoryCapacity : 0
        let disk = capabilities.contains(.disk) ? configuration.diskCapacity : 0
        return .bytes(memory.addingClamped(disk))
    }

    /// Bytes of every body when the capacity counts entries. The size then affects only the memory of the replay.
    package static let standInCount = 64
}
