// Invariant of the pointers: nothing is read through them. They only name cache lines to load, which is harmless wherever
// they point.

import CSupport

/// Where the keys of the first objects of a trace lie in memory, so that a replay can ask for a key some requests before it
/// is used: an application would have made it just before.
@usableFromInline
package final class KeyAddresses {
    /// Not checked for exclusivity: each access lasts one statement of one thread.
    @exclusivity(unchecked) private var words: [UInt] = []
    /// The array of references to the keys, as it was when the last of them was set: an address to prefetch, not to read.
    @exclusivity(unchecked) @usableFromInline package var references: UnsafeRawPointer?

    @usableFromInline
    package init() {}

    /// Notes the key of the next object: its first word, which for a reference is the address.
    @usableFromInline
    package func append(_ word: UInt) { words.append(word) }

    /// Replaces the word of an object.
    @usableFromInline
    package func set(_ number: Int, to word: UInt) { words[number] = word }

    /// Begins to load the reference to the key of an object, and its address.
    package func prefetchPlace(_ number: Int) {
        guard number < words.count, let references else { return }
        words.withUnsafeBufferPointer { words in
            if let first = words.baseAddress { cs_prefetch(first + number) }
        }
        cs_prefetch(references + number * MemoryLayout<UInt>.stride)
    }

    /// Begins to load the key of an object, if its address is known.
    package func prefetch(_ number: Int) {
        guard number < words.count, let address = UnsafeRawPointer(bitPattern: words[number]) else { return }
        cs_prefetch(address)
        cs_prefetch(address + 64)
    }
}
