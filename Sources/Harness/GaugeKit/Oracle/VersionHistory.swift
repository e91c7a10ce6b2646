/// Which versions of each key were current when, as seen from outside: a change begins when it is requested and is
/// certain when its call has ended. In between, either version may be seen.
///
/// The answer to a call may be any version that was current at some moment during the call. A miss is always allowed,
/// since a cache may forget. The idea comes from cachebench's consistency checking. Moments are ticks of any counter
/// that orders the calls; the caller makes sure that two threads see one order.
///
/// Costs a few words per key and per change that an open call could still see; ``forget(before:)`` bounds them.
@usableFromInline package struct VersionHistory: Sendable {
    private struct Change: Sendable {
        let version: UInt64
        let began: UInt64
        var ended: UInt64
    }

    /// Stands for "nothing", the state after a removal.
    @usableFromInline package static let nothing: UInt64 = 0

    private var changes: [UInt64: [Change]] = [:]
    private var horizon: UInt64 = 0

    @usableFromInline package init() {}

    /// At `tick`, a change of `key` to `version` was requested.
    @usableFromInline package mutating func begin(_ key: UInt64, version: UInt64, at tick: UInt64) {
        prune(key)
        changes[key, default: []].append(Change(version: version, began: tick, ended: .max))
    }

    /// At `tick`, the change of `key` that began at `began` ended, or one of several that did.
    @usableFromInline package mutating func end(_ key: UInt64, began: UInt64, at tick: UInt64) {
        guard let place = changes[key]?.firstIndex(where: { $0.began == began && $0.ended == .max }) else { return }
        changes[key]?[place].ended = tick
    }

    /// A change that took no time.
    @usableFromInline package mutating func set(_ key: UInt64, version: UInt64, at tick: UInt64) {
        begin(key, version: version, at: tick)
        end(key, began: tick, at: tick)
    }

    /// Whether `version` of `key` was current at some moment between `first` and `last`.
    @usableFromInline package func mayAnswer(_ key: UInt64, version: UInt64, from first: UInt64, until last: UInt64)
        -> Bool
    {
        guard let all = changes[key] else { return false }
        return all.contains { one in
            one.version == version && one.began <= last
                // Outdated before the call began: a later change was already certain.
                && !all.contains { $0.began > one.ended && $0.ended < first }
        }
    }

    /// The versions that may answer a call at `tick`, for a message.
    @usableFromInline package func versions(of key: UInt64, at tick: UInt64) -> [UInt64] {
        (changes[key] ?? []).map(\.version).filter {
            $0 != Self.nothing && mayAnswer(key, version: $0, from: tick, until: tick)
        }
    }

    /// No call that began before `tick` is still open.
    @usableFromInline package mutating func forget(before tick: UInt64) { horizon = max(horizon, tick) }

    /// Drops the changes that no open call can see.
    private mutating func prune(_ key: UInt64) {
        let horizon = horizon
        guard let all = changes[key], all.count > 1 else { return }
        changes[key] = all.filter { one in !all.contains { $0.began > one.ended && $0.ended < horizon } }
    }
}
