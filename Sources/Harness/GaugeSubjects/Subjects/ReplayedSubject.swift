import GaugeMeasurement
import GaugeTraces

/// A checked subject as a replay uses it: an object is chosen by its number, and the operations act on that object.
/// Closures hide the subject's type. They are compiled where the type is known: a generic replay is compiled for any
/// subject, and spends a tenth of its time on finding the key type at each request.
///
/// Used from one thread.
public struct ReplayedSubject {
    /// Chooses an object; false when the subject accepts no key from its URL.
    @usableFromInline package let choose: (_ number: Int?, _ id: UInt64, _ url: String?) -> Bool
    /// Looks the chosen object up; see ``CheckedSubject/lookUp(_:id:version:count:mayBeOutdated:_:)``.
    @usableFromInline package let lookUp:
        (_ id: UInt64, _ version: UInt64, _ count: Int, _ mayBeOutdated: Bool, inout LatencyRecorder) -> CheckedAnswer
    /// Stores the chosen object; see ``CheckedSubject/store(_:id:version:count:as:_:)``.
    @usableFromInline package let store: (_ id: UInt64, _ version: UInt64, _ count: Int, inout LatencyRecorder) -> Void
    /// Removes the chosen object.
    @usableFromInline package let remove: (_ id: UInt64, inout LatencyRecorder) -> Void

    /// Where the keys of objects lie.
    @usableFromInline package let addresses: KeyAddresses

    /// Hides a subject's type.
    @inlinable
    package init<Subject: CacheSubject>(_ checked: CheckedSubject<Subject>) {
        let keys = ReplayedKeys(of: checked)
        addresses = keys.addresses
        choose = { number, id, url in keys.choose(number, id: id, url: url) }
        lookUp = { id, version, count, mayBeOutdated, recorder in
            guard let key = keys.chosen else { return .miss }
            return checked.lookUp(
                key, id: id, version: version, count: count, mayBeOutdated: mayBeOutdated, &recorder)
        }
        store = { id, version, count, recorder in
            guard let key = keys.chosen else { return }
            checked.store(key, id: id, version: version, count: count, &recorder)
        }
        remove = { id, recorder in
            guard let key = keys.chosen else { return }
            checked.remove(key, id: id, &recorder)
        }
    }
}

extension CacheSubject {
    /// The subject, checked.
    @inlinable
    public static func replayed(
        _ configuration: SubjectConfiguration, answers: Answers, urls: RequestURLs, longest: Int
    ) throws -> ReplayedSubject {
        ReplayedSubject(
            CheckedSubject(try Self(configuration), answers: answers, urls: urls, longest: longest))
    }
}
