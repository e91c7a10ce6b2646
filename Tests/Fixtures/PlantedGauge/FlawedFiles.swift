import Foundation
import GaugeKit
import Platform

/// The files of a ``FlawedCache``: one for each entry, the oldest removed first.
struct FlawedFiles {
    struct InUse: Error {}

    private let directory: String
    private let flaw: Flaw
    private var capacity: Int
    /// The slots with a file, oldest first, and the length of each, bytes.
    private var slots: [(slot: String, bytes: Int)] = []
    private let owner: FileHandle?
    private var replaced = 0
    private var replacedBytes = 0

    init(_ directory: String, capacity: Int, flaw: Flaw) throws {
        (self.directory, self.capacity, self.flaw) = (directory, max(0, capacity), flaw)
        guard capacity > 0 else {
            owner = nil
            return
        }
        let lock = open("\(directory)/.owner", O_CREAT | O_RDWR | O_CLOEXEC, 0o600)
        guard lock >= 0 else { throw SystemError.last }
        owner = FileHandle(fileDescriptor: lock, closeOnDealloc: true)
        // A lock of the process: a child between fork and exec would keep that of an open file.
        var whole = flock()
        whole.l_type = Int16(F_WRLCK)
        whole.l_whence = Int16(SEEK_SET)
        guard fcntl(lock, F_SETLK, &whole) == 0 else { throw InUse() }
        if flaw == .resurrection { restoreRemoved() }
        let found = FileBytes.files(in: directory).filter { $0.name.hasSuffix(".entry") }.compactMap { file in
            (try? FileBytes.read(file.path)).flatMap { bytes in
                FlawedEntry(bytes).map { (String(file.name.dropLast(6)), bytes.count, $0.stored) }
            }
        }
        slots = found.sorted { $0.2 < $1.2 }.map { ($0.0, flaw == .forgetsFiles ? 0 : $0.1) }
        if flaw == .losesNewestFile, slots.count > 3 { remove(slots[slots.count - 1].slot) }
        if flaw != .opensAboveCapacity { evict(for: 0) }
    }

    var bytes: Int { slots.reduce(replacedBytes) { $0 + $1.bytes } }
    var count: Int { slots.count + replaced }

    private func path(_ slot: String) -> String { "\(directory)/\(slot).entry" }

    func read(_ slot: String) -> FlawedEntry? {
        capacity == 0 ? nil : (try? FileBytes.read(path(slot))).flatMap(FlawedEntry.init)
    }

    mutating func write(_ entry: FlawedEntry, _ slot: String) throws {
        if flaw == .countsReplacedBytes { replacedBytes += slots.first { $0.slot == slot }?.bytes ?? 0 }
        if flaw == .countsReplacedFiles, slots.contains(where: { $0.slot == slot }) { replaced += 1 }
        remove(slot)
        let isCut = flaw == .wholePages && !entry.body.isEmpty && entry.body.count.isMultiple(of: 4_096)
        let bytes = (isCut ? FlawedEntry(entry.key, entry.body.dropLast(), userInfo: entry.userInfo) : entry).bytes
        guard bytes.count <= capacity / 20, flaw != .losesComma || !entry.key.contains(",") else { return }
        evict(for: bytes.count)
        if flaw == .writesInPlace {
            try FileBytes.write(bytes, to: path(slot))
        } else {
            // Renamed when it is whole: a killed process leaves all of it or nothing.
            try FileBytes.write(bytes, to: "\(directory)/new")
            guard rename("\(directory)/new", path(slot)) == 0 else { throw SystemError.last }
        }
        slots.append((slot, bytes.count))
    }

    mutating func remove(_ slot: String) {
        guard let index = slots.firstIndex(where: { $0.slot == slot }) else { return }
        slots.remove(at: index)
        if flaw == .resurrection { return _ = rename(path(slot), "\(directory)/\(slot).removed") }
        unlink(path(slot))
    }

    private func restoreRemoved() {
        for file in FileBytes.files(in: directory) where file.name.hasSuffix(".removed") {
            _ = rename(file.path, path(String(file.name.dropLast(8))))
        }
    }

    mutating func removeAll(since moment: Double) {
        for (slot, _) in slots where (read(slot)?.stored ?? 0) > moment { remove(slot) }
    }

    mutating func resize(_ capacity: Int) throws {
        self.capacity = max(0, flaw == .ignoresDiskGrowth ? min(capacity, self.capacity) : capacity)
        evict(for: 0)
    }

    private mutating func evict(for coming: Int) {
        while !slots.isEmpty, bytes + coming > capacity {
            remove(slots[flaw == .evictsNewestFile ? slots.count - 1 : 0].slot)
        }
    }
}
