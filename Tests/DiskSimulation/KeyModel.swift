/// The versions that may be found under one key, now and after a kill or a power cut. Versions are known by their
/// numbers, which grow with every store that is tried.
struct KeyModel {
    /// The version that a lookup gives now, if it gives any.
    private(set) var current: Int?
    /// Versions that may also be found when the process has died: stores it died in, removals that could not be
    /// written.
    private(set) var afterDeath: [Int] = []
    /// The version that the last `flush` covered.
    private(set) var flushed: Int?
    /// The last version of any key at that `flush`; later attempts to store have larger numbers.
    private var lastBeforeFlush = 0
    /// The version that was found damaged and removed at once after the `flush`.
    private var dropped: Int?
    /// Whether it was found at the last `flush`, and nothing has happened since that could take it away.
    var mustSurvivePowerCut = false

    mutating func stored(_ version: Int) {
        current = version
        forgetAfterDeath()
        mustSurvivePowerCut = false
    }

    mutating func removed() {
        current = nil
        forgetAfterDeath()
        mustSurvivePowerCut = false
    }

    private mutating func forgetAfterDeath() { if !afterDeath.isEmpty { afterDeath = [] } }

    /// A store threw. The version before it is gone, unless the process died in it.
    mutating func failedToStore(_ version: Int, mayReturn: Bool) {
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

    /// - Parameters:
    ///   - lastVersion: the last version of any key.
    ///   - isDropped: that the lookup found it damaged and removed it, after the `flush`: of a record carried forward
    ///     what it was copied from may still be whole, and a power cut may take that removal.
    mutating func flushed(isFound: Bool, isDropped: Bool, lastVersion: Int) {
        flushed = isFound ? current : nil
        dropped = isDropped ? current : nil
        lastBeforeFlush = lastVersion
        if !isFound { current = nil }
        mustSurvivePowerCut = isFound
    }

    func mayBeFoundAfterDeath(_ version: Int) -> Bool { current == version || afterDeath.contains(version) }

    func mayBeFoundAfterPowerCut(_ version: Int) -> Bool {
        flushed == version || dropped == version || version > lastBeforeFlush
    }

    /// The version found after the process had died counts from now on.
    mutating func resumed(with version: Int?) {
        current = version
        forgetAfterDeath()
    }

    /// The file was damaged; the found version is durable.
    mutating func resumedAfterDamage(with version: Int?) {
        resumedAfterPowerCut(with: version)
        flushed = version
        dropped = nil
    }

    /// A power cut lets through any part of the writes since the flush; the next one may choose again.
    mutating func resumedAfterPowerCut(with version: Int?) {
        resumed(with: version)
        mustSurvivePowerCut = false
    }
}
