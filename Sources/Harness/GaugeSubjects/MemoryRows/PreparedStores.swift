import GaugeMeasurement
import GaugeTraces

/// Keys and bodies that are ready to be stored, so that a row measures only the subject's store.
///
/// Invariant: `bodies` holds `count` bytes for each id, in their order; it is written only in `init` and freed in
/// `deinit`, and a slice of it is lent to the subject only during a call.
@usableFromInline
package final class PreparedStores<Subject: CacheSubject> {
    @usableFromInline package let checked: CheckedSubject<Subject>
    @usableFromInline package let ids: [UInt64]
    @usableFromInline package let keys: [Subject.Key]
    @usableFromInline package let version: UInt64
    @usableFromInline package let count: Int
    @usableFromInline package let bodies: UnsafeMutableRawBufferPointer
    /// The position that was stored last.
    @usableFromInline package var last = 0

    /// - Parameters:
    ///   - version: the version of each body.
    ///   - count: the bytes of each body.
    @inlinable
    package init(_ ids: [UInt64], version: UInt64, count: Int, of checked: CheckedSubject<Subject>) throws {
        self.checked = checked
        self.ids = ids
        self.version = version
        self.count = count
        keys = try ids.map { try checked.key($0) }
        bodies = .allocate(byteCount: ids.count * count, alignment: 64)
        for (position, id) in ids.enumerated() {
            let body = UnsafeMutableRawBufferPointer(rebasing: bodies[position * count..<(position + 1) * count])
            Payload.write(body, key: id, version: version)
        }
    }

    deinit { bodies.deallocate() }

    @inlinable
    package func body(_ position: Int) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: bodies[position &* count..<(position &+ 1) &* count])
    }

    @inlinable
    package func store(_ position: Int) {
        last = position
        do {
            blackHole(try checked.subject.store(body(position), for: keys[position]).ordinal)
        } catch {
            _ = checked.reportError(error, id: ids[position], expected: "a store")
        }
    }

    /// Looks up the last key and checks its body, outside the measured region. Another version is wrong; a miss is wrong
    /// where the subject has to keep every body.
    @inlinable
    package func checkLast(isKept: Bool) {
        MeasuredRegion.pause()
        defer { MeasuredRegion.resume() }
        let answer = checked.check(keys[last], id: ids[last], version: version, count: count)
        guard isKept, case .miss = answer else { return }
        checked.answers.wrong(
            key: checked.urls.url(for: ids[last]), expected: "the version that was stored last", got: "a miss")
    }
}
