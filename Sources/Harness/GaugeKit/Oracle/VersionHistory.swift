/// Which versions of each key were current when, as far as anybody outside can know: a change begins when it is asked
/// for and is certain when it has ended, and in between either version may be seen.
///
/// An answer that was under way from one moment to another may be any version that was current at some moment between
/// them; nothing at all may always be answered, since a cache may forget. The idea is that of cachebench's consistency
/// checking. Moments are ticks of whatever counter orders the calls; the caller takes care that two threads see one
/// order.
///
/// Costs a few words for each key and each change that an open call could still see; ``forget(before:)`` bounds them.
public struct VersionHistory: Sendable {
    private struct Change: Sendable {
        let version: UInt64
        let began: UInt64
        var ended: UInt64
    }

    /// Stands for "nothing": what a removal leaves.
    public static let nothing: UInt64 = 0

    private var changes: [UInt64: [Change]] = [:]
    private var horizon: UInt64 = 0

    /// No key has had a version yet.
    public init() {}

    /// A change of `key` to `version` was asked for at `tick`.
    public mutating func begin(_ key: UInt64, version: UInt64, at tick: UInt64) {
        prune(key)
        changes[key, default: []].append(Change(version: version, began: tick, ended: .max))
    }

    /// The change of `key` that began at `began`, or one of those, has ended at `tick`.
    public mutating func end(_ key: UInt64, began: UInt64, at tick: UInt64) {
        guard let place = changes[key]?.firstIndex(where: { $0.began == began && $0.ended == .max }) else { return }
        changes[key]?[place].ended = tick
    }

    /// A change that took no time.
    public mutating func set(_ key: UInt64, version: UInt64, at tick: UInt64) {
        begin(key, version: version, at: tick)
        end(key, began: tick, at: tick)
    }

    /// Whether `version` of `key` was current at some moment of a call from `first` to `last`.
    public func mayAnswer(_ key: UInt64, version: UInt64, from first: UInt64, until last: UInt64) -> Bool {
        guard let all = changes[key] else { return false }
        return all.contains { one in
            one.version == version && one.began <= last
                // Outdated before the call began: another change came after it, and was certain by then.
                && !all.contains { $0.began > one.ended && $0.ended < first }
        }
    }

    /// The versions that a call at `tick` could be answered with, for a message.
    public func versions(of key: UInt64, at tick: UInt64) -> [UInt64] {
        (changes[key] ?? []).map(\.version).filter {
            $0 != Self.nothing && mayAnswer(key, version: $0, from: tick, until: tick)
        }
    }

    /// No call that began before `tick` is open any more.
    public mutating func forget(before tick: UInt64) { horizon = max(horizon, tick) }

    /// Drops what no open call can see.
    private mutating func prune(_ key: UInt64) {
        let horizon = horizon
        guard let all = changes[key], all.count > 1 else { return }
        changes[key] = all.filter { one in !all.contains { $0.began > one.ended && $0.ended < horizon } }
    }
}
