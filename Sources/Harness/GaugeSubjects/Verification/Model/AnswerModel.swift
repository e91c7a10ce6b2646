/// The versions that a cache may answer, by key.
///
/// A cache may forget, so a miss is always allowed. It may answer only the version stored last, if that was not removed.
/// After a kill it may also answer a version that was current since the cache was last settled, until an answer shows
/// which of them was on disk.
package struct AnswerModel {
    /// Stands for an entry that was removed or never stored.
    private static let nothing: UInt64 = 0
    private var possible: [Int: Set<UInt64>] = [:]
    private var unsettled: [Int: Set<UInt64>] = [:]

    package init() {}

    package mutating func store(_ key: Int, version: UInt64) { change(key, to: version) }

    package mutating func remove(_ key: Int) { change(key, to: Self.nothing) }

    private mutating func change(_ key: Int, to version: UInt64) {
        unsettled[key, default: possible[key] ?? [Self.nothing]].insert(version)
        possible[key] = [version]
    }

    /// All changes are on disk.
    package mutating func settle() { unsettled = [:] }

    /// The process was killed: changes since it was last settled may be lost.
    package mutating func kill() {
        for (key, versions) in unsettled { possible[key] = versions }
        unsettled = [:]
    }

    /// Whether the version may be answered.
    package func mayAnswer(_ key: Int, version: UInt64) -> Bool { possible[key]?.contains(version) == true }

    /// The version was answered: from now on it is the only one that may be.
    package mutating func answered(_ key: Int, version: UInt64) { possible[key] = [version] }

    /// The versions that may be answered, for a message.
    package func text(_ key: Int) -> String {
        let versions = (possible[key] ?? []).subtracting([Self.nothing]).sorted()
        return versions.isEmpty ? "nothing" : "version " + versions.map(String.init).joined(separator: " or ")
    }
}
