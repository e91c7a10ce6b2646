/// Why a disk tier began empty.
public enum StartReason: Hashable, Sendable {
    /// There was no file, or an empty one.
    case newFile
    /// The file is something else.
    case notALog
    /// Another version of the format wrote the file.
    case otherVersion(UInt32)
    /// The superblock is damaged; trusting an older one could bring back what was cleared.
    case damagedSuperblock
    /// The process was killed while a lowered capacity was moving what could be kept.
    case interruptedMove
    /// The file could not be read; the system's error number.
    case unreadable(Int32)
    /// The capacity differs so much from the file's that its division does not fit.
    case otherCapacity
    /// The capacity is too small to hold anything.
    case noCapacity
}
