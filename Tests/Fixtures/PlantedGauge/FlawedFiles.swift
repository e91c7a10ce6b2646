import Foundation
import GaugeKit
import Platform

/// The files of a ``FlawedCache``: one for each entry, the least recently used removed first.
struct FlawedFiles {
    struct InUse: Error {}

    private let directory: String
    private let flaw: Flaw
    private var capacity: Int
    /// The slots with a file, oldest first, and the length of each, bytes.
    private var slots: [(slot: String, bytes: Int)] = []
    private let owner: FileHandle?
    /// The number of the last use, which is the date of its file.
    private var uses = 0
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
        var found = FileBytes.files(in: directory).compactMap { file in
            slot(ofFile: file.name).flatMap { slot in
                (try? FileBytes.read(file.path)).flatMap { bytes in
                    FlawedEntry(bytes).map { (slot, bytes.count, Self.date(file.path), $0.stored) }
                }
            }
        }
        uses = found.map(\.2).max() ?? 0
        found.sort { flaw == .forgetsUses ? $0.3 < $1.3 : $0.2 < $1.2 }
        slots = found.map { ($0.0, flaw == .forgetsFiles ? 0 : $0.1) }
        if flaw == .trustsList, let list = try? FileBytes.read("\(directory)/list") {
            slots = String(decoding: list, as: UTF8.self).split(separator: "\n").map { (String($0), 1_000) }
        }
        if flaw == .losesNewestFile, slots.count > 3 { remove(slots[slots.count - 1].slot) }
        if flaw != .opensAboveCapacity { evict(for: 0) }
    }

    var bytes: Int { slots.reduce(replacedBytes) { $0 + $1.bytes } }
    var count: Int { slots.count + replaced }

    private func path(_ slot: String) -> String { "\(directory)/\(slot)\(flaw == .namesFolders ? "" : ".entry")" }

    private func slot(ofFile name: String) -> String? {
        if flaw == .namesFolders { return name.hasPrefix(".") || name == "new" ? nil : name }
        return name.hasSuffix(".entry") ? String(name.dropLast(6)) : nil
    }

    /// The date of a file, which is the number of its last use.
    private static func date(_ path: String) -> Int {
        let date = (try? FileManager.default.attributesOfItem(atPath: path))?[.modificationDate] as? Date
        return Int(date?.timeIntervalSince1970 ?? 0)
    }

    /// Makes a file the one that is removed last, also by the next process.
    mutating func use(_ slot: String) {
        guard flaw != .evictsNewestFile, let index = slots.firstIndex(where: { $0.slot == slot }) else { return }
        slots.append(slots.remove(at: index))
        if flaw != .forgetsUses { setDate(slot) }
    }

    private mutating func setDate(_ slot: String) {
        uses += 1
        let time = timespec(tv_sec: uses, tv_nsec: 0)
        utimensat(AT_FDCWD, path(slot), [time, time], 0)
    }

    func read(_ slot: String) -> FlawedEntry? {
        capacity == 0 ? nil : (try? FileBytes.read(path(slot))).flatMap(FlawedEntry.init)
    }

    mutating func write(_ entry: FlawedEntry, _ slot: String) throws {
        if flaw == .countsReplacedBytes { replacedBytes += slots.first { $0.slot == slot }?.bytes ?? 0 }
        if flaw == .countsReplacedFiles, slots.contains(where: { $0.slot == slot }) { replaced += 1 }
        if flaw == .trustsList, slots.contains(where: { $0.slot == slot }), access(path(slot), F_OK) != 0 { return }
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
            if flaw == .namesFolders { makeFolders(of: slot) }
            guard rename("\(directory)/new", path(slot)) == 0 else {
                if flaw == .namesFolders { return }
                throw SystemError.last
            }
        }
        slots.append((slot, bytes.count))
        setDate(slot)
        saveList()
    }

    private func makeFolders(of slot: String) {
        let folder = URL(filePath: path(slot)).deletingLastPathComponent().path
        try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    private func saveList() {
        guard flaw == .trustsList else { return }
        try? FileBytes.write(Array(slots.map(\.slot).joined(separator: "\n").utf8), to: "\(directory)/list")
    }

    mutating func remove(_ slot: String) {
        guard let index = slots.firstIndex(where: { $0.slot == slot }) else { return }
        slots.remove(at: index)
        if flaw == .resurrection { return _ = rename(path(slot), "\(directory)/\(slot).removed") }
        unlink(path(slot))
        saveList()
    }

    /// Removes an entry that nobody wants any more.
    mutating func discard(_ slot: String) {
        if flaw == .removalKeepsSpace { replacedBytes += slots.first { $0.slot == slot }?.bytes ?? 0 }
        remove(slot)
    }

    private func restoreRemoved() {
        for file in FileBytes.files(in: directory) where file.name.hasSuffix(".removed") {
            _ = rename(file.path, path(String(file.name.dropLast(8))))
        }
    }

    mutating func removeDirectory() {
        slots = []
        try? FileManager.default.removeItem(atPath: directory)
        capacity = 0
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
