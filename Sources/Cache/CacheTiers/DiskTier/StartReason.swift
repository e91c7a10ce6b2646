/// The reason why a disk tier began empty.
public enum StartReason: Hashable, Sendable {
    /// There was no file, or an empty one.
    case newFile
    /// The file is not a log of this cache.
    case notALog
    /// Another version of the format wrote the file.
    case otherVersion(UInt32)
    /// The superblock is damaged; an older one is not used, since that could bring back cleared entries.
    case damagedSuperblock
    /// The process was killed while it moved entries to fit a lowered capacity.
    case interruptedMove
    /// The file could not be read; the system's error number.
    case unreadable(Int32)
    /// The capacity differs so much from the file's that the file has to be divided into segments of another size.
    case otherCapacity
    /// The capacity is too small to hold anything.
    case noCapacity
}
