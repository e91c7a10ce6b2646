import Foundation

/// The one defect of a ``FlawedCache``.
package enum Flaw: String, CaseIterable, Sendable {
    /// No defect: the control.
    case none
    /// One key in eight keeps the first version that was stored.
    case staleEighth
    /// The same for one key in sixteen, and in sixty-four.
    case staleSixteenth, staleSixtyFourth
    /// One key in eight keeps its body if the new one has the same length.
    case staleSameLength
    /// Entries are told apart by sixteen bits of the key's hash.
    case truncatedHash
    /// A removal does not reach the file of an entry that memory has evicted.
    case lostRemoval
    /// A hit in memory does not renew the place of the entry.
    case hitKeepsPlace
    /// An entry promoted from disk is the next that memory evicts.
    case promotionKeepsPlace
    /// A replaced entry is counted as well as its successor.
    case doubleCount
    /// A removed file is found again when the cache is opened.
    case resurrection
    /// A body is replaced in two halves, between which others may read it.
    case tornBody
    /// A removal does not reach the file of an entry that was promoted from it.
    case returnsAfterPromotion
    /// After a change of capacity a file is not replaced.
    case staleAfterResize
    /// A body stored without metadata gets that of its predecessor.
    case keepsMetadata
    /// Entries are told apart by the low half of the key's hash.
    case lowHash
    /// A store puts back what memory held when it began.
    case lostUpdate
    /// A removed entry is still counted.
    case countsRemoved
    /// Room is made before the next store, not before this one.
    case exceedsCapacity
    /// Entries are told apart by 24 bits of a hash whose seed each process chooses.
    case seededHash
    /// Files are named by djb2 of the key, and the key in them is not compared.
    case weakFileName
    /// The same of an unknown hash.
    case fileWithoutKey
    /// A removal reaches the file alone, if there is one.
    case removalKeepsMemory
    /// Each sixty-fourth removal is lost.
    case losesSomeRemovals
    /// A replacement of an entry in memory does not reach its file.
    case lostReplacement
    /// The entry that replaces another takes over its place.
    case replacementKeepsPlace
    /// A capacity of memory that was lowered is never raised again.
    case ignoresGrowth
    /// The same of the disk.
    case ignoresDiskGrowth
    /// An evicted entry stays counted with 64 bytes.
    case countsEvicted
    /// An entry promoted from disk loses its metadata.
    case promotionDropsMetadata
    /// A body of whole pages loses its last byte on disk.
    case wholePages
    /// A shorter body keeps the end of the longer one that it replaces.
    case keepsTail
    /// An entry is read from disk before the lock is taken under which it is put into memory.
    case promotionRace
    /// The bytes of an entry in memory are counted without the lock.
    case countsUnlocked
    /// A file that is replaced is counted as well as its successor.
    case countsReplacedFiles
    /// The same, by their bytes.
    case countsReplacedBytes
    /// Each entry that was removed or evicted from memory stays in a list.
    case keepsEvicted
    /// Of metadata with several values only one is kept.
    case keepsOneValue
    /// The files that were there when the cache was opened are not counted.
    case forgetsFiles
    /// A hit on disk is reported as one in memory.
    case tellsMemory
    /// Each store is reported as one that evicted.
    case tellsEviction
    /// Each second store that evicts is reported as one that does not.
    case hidesEvictions
    /// An eviction is counted twice.
    case countsEvictionsTwice
    /// The file that is evicted is the one stored last.
    case evictsNewestFile
    /// The lifetime of an entry is ignored.
    case neverExpires
    /// An entry that is replaced has the lifetime of the first.
    case replacementKeepsDate
    /// The lifetime of an entry begins again when its file is found by a new process.
    case forgetsDates
    /// An entry that is removed after its lifetime stays counted.
    case countsExpired
    /// Bodies of any length are stored.
    case storesAll
    /// Each replacement counts one byte too much.
    case countsReplacement
    /// There is room for 256 entries in memory, whatever their lengths.
    case smallTable
    /// Only the first 1,024 characters of a URL count.
    case longKey
    /// Without capacity the cache does nothing, and keeps what it holds for later.
    case sleepsWhenOff
    /// A body of whole 64 KiB loses its last byte.
    case cutsLarge
    /// A removal since a date puts back what it had read before it took the lock.
    case removalWritesBack
    /// The process ends when an entry is removed that memory has evicted.
    case crash
    // Each of the following breaks one promise of fixed steps.
    /// The usage of memory is reported as a tenth.
    case memoryTenth
    /// The usage of the disk is reported as a tenth.
    case diskTenth
    /// A response to one of these methods is stored like one to a GET.
    case storesHead, storesPut, storesDelete
    /// Another spelling of a URL is another key.
    case port80, schemeCase, emptyPath
    /// Another URL has the same key.
    case dropsSlash, mergesSlashes, dropsWWW, decodesPlus, lastParameter
    case dropsPort, decodesPercent, decodesQuestionMark, dropsQuestionMark
    /// The same of queries: only the first value counts, parameters are sorted, or a part of the query is left out.
    case ignoresValues, sortsParameters, dropsEquals, dropsEmptyParameter, queryCase, dropsCampaign
    /// A caller may change the bytes of the entry.
    case lendsEntry
    /// An entry without a body is not found.
    case losesEmpty
    /// A hit in memory is reported as one on disk for one key in sixteen.
    case tellsDiskAtTimes
    /// A store that replaces an entry is reported as one that evicts.
    case tellsReplacement
    /// For one key in sixteen a store never reports that it evicts.
    case hidesEvictionsOfShard
    /// The lifetime of an entry that was removed ends that of the next one of its key.
    case removalKeepsDate
    /// What memory evicts when its capacity is lowered is lost on disk, too.
    case resizeLosesFiles
    /// The file that was written last is missing when a cache with several is opened.
    case losesNewestFile
    /// A file is written under its name, and what was written of it is read.
    case writesInPlace
    /// A missing field has the value of French; a response with `Vary: *` is stored.
    case absentVary, starVary
    /// A port that begins with the default one is left out; so is the text of the default one within another.
    case portPrefix, portWithin
    /// A delimiter and its code are the same, and letters in either composition.
    case decodesDelimiters, composesLetters
    /// What follows a semicolon in a path is left out; so are leading zeros of a value.
    case pathParameters, leadingZeros
    /// A fragment behind a query is part of the key; a query behind a fragment is one.
    case fragmentOfQuery, queryOfFragment
    /// The case of a field's name matters; only the first field of `Vary` counts, or the first line of a field.
    case varyCase, firstVary, firstLine
    /// A body of no bytes replaces nothing.
    case emptyReplacesNothing
    /// A replacement counts as an eviction; so does a removal.
    case countsReplacedAsEvicted, countsRemovedAsEvicted
    /// A URL with a comma is lost on disk.
    case losesComma
    /// A directory that holds more than the capacity keeps it until the next store.
    case opensAboveCapacity
    /// Removal since a date removes everything, or nothing.
    case removesAnyDate, removesNoDate
    /// What may only be in memory is written to a file; or a file of the version before stays.
    case writesMemoryOnly, memoryOnlyKeepsFile
    /// What may not be stored leaves what was stored before.
    case notAllowedKeepsOld
    /// Keys whose hashes collide are one.
    case comparesHashes
    /// Removal since a date brings back the version that was stored before it.
    case olderComesBack
    /// The lifetime of an entry begins again when it is promoted, or when the capacities change.
    case promotionRenewsDate, resizeRenewsDates
    /// Places are numbers of 12 bits.
    case wrapsPlaces
    /// Removal since a date leaves what only files hold, if the date is 1970.
    case keepsFiles
    /// A replaced entry is the next that is evicted.
    case replacementFirst
    /// The limit of a body is that of the first capacity.
    case firstLimit
    /// A version that is too large leaves the one before it; or one that is larger than the whole memory does.
    case tooLargeKeepsOld, largerKeepsOld
    /// A store that replaces an entry evicts nothing.
    case overwritingNeverEvicts
    /// Memory makes room once, and never again.
    case sweepsOnce
    /// The disk counts each byte as eight, as a count of blocks taken for bytes would.
    case diskEightfold
    /// An entry is found before the lock is taken under which it is removed and its bytes are subtracted.
    case removalRace
    /// Removal of everything leaves the count of bytes, so that less fits afterwards.
    case clearKeepsTotal
    /// Removal of everything leaves what only files hold.
    case clearKeepsFiles
    /// Removal of everything subtracts what each entry cost twice, so that twice as much fits afterwards.
    case clearSubtractsTwice
    /// Removal of everything empties the memory, and then the files; a lookup between the two finds a file.
    case clearsInTwoSteps
    /// A hit in memory renews the date of the store.
    case useRenewsDate
    /// The entry that was stored last is evicted first.
    case evictsNewest
    /// Memory ignores its limit, and counts nothing.
    case ignoresLimit
    /// A negative capacity counts as a positive one.
    case negativeCapacity
    /// The checksum leaves the metadata out.
    case uncheckedMetadata
    /// Metadata loses the values that are no property lists.
    case dropsObjects
    /// The key hook is not asked.
    case ignoresHook
    /// The cache that was shared first stays shared.
    case keepsShared
    /// A hit on disk does not reach the date by which files are evicted after the cache is opened again.
    case forgetsUses
    /// A timer makes room, writes files, or drops what has expired, on a run loop that no thread runs.
    case trimsOnRunLoop, writesOnRunLoop, expiresOnRunLoop
    /// An entry without a body costs nothing.
    case freeEmptyBodies
    /// What a removed entry cost is not given back; the usage is right.
    case removalKeepsCost
    /// The bytes of a removed file are not given back.
    case removalKeepsSpace
    /// The next entries after the removal of the newest are the first that are evicted.
    case removalRestartsPlaces
    /// Keys are told apart by their beginnings, ends and lengths.
    case samplesKeys
    /// The first 100 characters of a key name its file, or the key in lower case does, and the key in the file is not
    /// compared.
    case cutsNames, foldsNames
    /// The URL names the file and its folders.
    case namesFolders
    /// Files are written later: a removal does not reach what waits, or what waits is written in the wrong order.
    case removalBeforeWrite, writesNewestFirst
    /// Removal of everything removes the directory, too.
    case clearRemovesDirectory
    /// The lock of each key is kept.
    case keepsLocks
    /// A key that was missing on disk stays so.
    case remembersMisses
    /// The list of files is a file, and what it lists is only written again where it is.
    case trustsList

    /// One key in so many keeps its first version.
    var stalePeriod: UInt64? {
        switch self {
        case .staleEighth: 8
        case .staleSixteenth: 16
        case .staleSixtyFourth: 64
        default: nil
        }
    }

    /// The flaw of the caches that are made next: for a part of a test, or for a process by `PLANTED_FLAW`.
    @TaskLocal package static var current =
        ProcessInfo.processInfo.environment["PLANTED_FLAW"].flatMap(Flaw.init) ?? .none
}
