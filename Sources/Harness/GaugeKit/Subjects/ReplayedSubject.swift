// Invariant of the pointers: nothing is read through the addresses of keys. They only name cache lines to load, which
// is harmless wherever they point.

import CSupport
import GaugeTraces

/// A checked subject as a replay uses it: you choose an object by number, and the operations act on it. Closures hide
/// the subject's type and are compiled where it is known: a generic replay is compiled for any subject, and spends a
/// tenth of its time looking up the key type at each request.
///
/// Used from one thread.
public struct ReplayedSubject {
    /// Chooses an object; false if the subject accepts no key from its URL.
    @usableFromInline package let choose: (_ number: Int?, _ id: UInt64, _ url: String?) -> Bool
    /// Looks the chosen object up; see ``CheckedSubject/lookUp(_:id:version:count:mayBeOutdated:_:)``.
    @usableFromInline package let lookUp:
        (_ id: UInt64, _ version: UInt64, _ count: Int, _ mayBeOutdated: Bool, inout LatencyRecorder) -> CheckedAnswer
    /// Stores the chosen object; see ``CheckedSubject/store(_:id:version:count:as:_:)``.
    @usableFromInline package let store: (_ id: UInt64, _ version: UInt64, _ count: Int, inout LatencyRecorder) -> Void
    @usableFromInline package let remove: (_ id: UInt64, inout LatencyRecorder) -> Void

    @usableFromInline package let addresses: KeyAddresses

    @inlinable
    package init<Subject: CacheSubject>(_ checked: CheckedSubject<Subject>) {
        let keys = ReplayedKeys(of: checked)
        addresses = keys.addresses
        choose = { number, id, url in keys.choose(number, id: id, url: url) }
        lookUp = { id, version, count, mayBeOutdated, recorder in
            guard let key = keys.chosen else { return .miss }
            return checked.lookUp(key, id: id, version: version, count: count, mayBeOutdated: mayBeOutdated, &recorder)
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
        ReplayedSubject(CheckedSubject(try Self(configuration), answers: answers, urls: urls, longest: longest))
    }
}

/// The subject's keys of a trace's first objects, each made once: making a URL takes as long as many hits, and popular
/// objects come early.
///
/// Bounded, since a key may take a kilobyte (a `URLRequest`) and a trace may have any number of objects.
///
/// Used from one thread. Accesses to the variables aren't checked for exclusivity: none lasts longer than a statement,
/// and no statement that writes one calls the subject.
@usableFromInline
package final class ReplayedKeys<Subject: CacheSubject> {
    /// The most objects whose keys are kept.
    @usableFromInline package static var most: Int { 1 << 17 }

    @usableFromInline package let checked: CheckedSubject<Subject>
    @exclusivity(unchecked) @usableFromInline package var keys: [Subject.Key?] = []
    @usableFromInline package let addresses = KeyAddresses()
    /// The last chosen object's key; `nil` if the subject accepts none from its URL.
    @exclusivity(unchecked) @usableFromInline package var chosen: Subject.Key?

    @inlinable
    package init(of checked: CheckedSubject<Subject>) { self.checked = checked }

    /// Finds the key of an object, or makes it.
    ///
    /// - Parameters:
    ///   - number: the object's, from 0; `nil` if its key must not be kept.
    /// - Returns: whether the object has a key.
    @inlinable
    package func choose(_ number: Int?, id: UInt64, url: String?) -> Bool {
        if url != nil || checked.namedURL != nil { checked.namedURL = url }
        if let number, number < keys.count, let key = keys[number] {
            chosen = key
            return true
        }
        chosen = try? checked.key(id)
        if let number, number < Self.most {
            while keys.count <= number {
                keys.append(nil)
                addresses.append(0)
            }
            keys[number] = chosen
            if MemoryLayout<Subject.Key>.size == MemoryLayout<UInt>.size, let chosen {
                addresses.set(number, to: unsafeBitCast(chosen, to: UInt.self))
                addresses.references = keys.withUnsafeBytes { $0.baseAddress }
            }
        }
        return chosen != nil
    }
}

/// Where the keys of a trace's first objects lie in memory, so that a replay can prefetch a key some requests before
/// its use: an application would have just made it.
@usableFromInline
package final class KeyAddresses {
    /// Unchecked for exclusivity: each access lasts one statement of one thread.
    @exclusivity(unchecked) private var words: [UInt] = []
    /// The array of references to the keys, as of when the last one was set: an address to prefetch, not to read.
    @exclusivity(unchecked) @usableFromInline package var references: UnsafeRawPointer?

    @usableFromInline
    package init() {}

    /// Notes the next object's key: its first word, which for a reference is the address.
    @usableFromInline
    package func append(_ word: UInt) { words.append(word) }

    @usableFromInline
    package func set(_ number: Int, to word: UInt) { words[number] = word }

    /// Begins to load the reference to an object's key, and its address.
    package func prefetchPlace(_ number: Int) {
        guard number < words.count, let references else { return }
        words.withUnsafeBufferPointer { words in
            if let first = words.baseAddress { cs_prefetch(first + number) }
        }
        cs_prefetch(references + number * MemoryLayout<UInt>.stride)
    }

    /// Begins to load an object's key, if its address is known.
    package func prefetch(_ number: Int) {
        guard number < words.count, let address = UnsafeRawPointer(bitPattern: words[number]) else { return }
        cs_prefetch(address)
        cs_prefetch(address + 64)
    }
}
