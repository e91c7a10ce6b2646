/// What may be found under one key, now and after what may happen next.
struct KeyModel {
    /// What a lookup gives now, if it gives anything.
    private(set) var current: Version?
    /// What may be found besides when the process has died: stores it died in, removals that could not be written.
    private(set) var afterDeath: [Version] = []
    /// What the last `flush` covered.
    private(set) var flushed: Version?
    /// What was stored since then, or tried to be.
    private(set) var sinceFlush: [Version] = []
    /// Whether it was found at the last `flush`, and nothing has happened since that could take it away.
    var mustSurvivePowerCut = false

    mutating func stored(_ version: Version) {
        current = version
        afterDeath = []
        sinceFlush.append(version)
        mustSurvivePowerCut = false
    }

    mutating func removed() {
        current = nil
        afterDeath = []
        mustSurvivePowerCut = false
    }

    /// A store threw. What it supersedes is gone, unless the process died in it.
    mutating func failedToStore(_ version: Version, mayReturn: Bool) {
        sinceFlush.append(version)
        mustSurvivePowerCut = false
        if mayReturn {
            afterDeath.append(version)
        } else {
            current = nil
        }
    }

    /// A removal could not be written: nothing is found, but may be after death.
    mutating func suspended() {
        if let current { afterDeath.append(current) }
        current = nil
        mustSurvivePowerCut = false
    }

    /// All was given up, for good.
    mutating func cleared() { removed() }

    /// - Parameter isDropped: that the lookup found it damaged and removed it, after the `flush`: of a record carried
    ///   forward what it was copied from may still be whole, and a power cut may take that removal.
    mutating func flushed(isFound: Bool, isDropped: Bool) {
        flushed = isFound ? current : nil
        sinceFlush = isDropped ? [current].compactMap { $0 } : []
        if !isFound { current = nil }
        mustSurvivePowerCut = isFound
    }

    func mayBeFoundAfterDeath(_ version: Version) -> Bool { current == version || afterDeath.contains(version) }

    func mayBeFoundAfterPowerCut(_ version: Version) -> Bool { flushed == version || sinceFlush.contains(version) }

    /// All versions that any of the rules allow.
    var candidates: [Version] { [current, flushed].compactMap { $0 } + afterDeath + sinceFlush }

    /// What was found after the process had died is what counts from now on.
    mutating func resumed(with version: Version?) {
        current = version
        afterDeath = []
    }

    /// A power cut lets through what it likes of what was not flushed; the next one may choose again.
    mutating func resumedAfterPowerCut(with version: Version?) {
        resumed(with: version)
        mustSurvivePowerCut = false
    }
}
