/// The names in recordings of an application (`RequestRecorder`), which are hashes under a secret: recordings under different
/// secrets have none in common, and cannot be one trace. Takes 64 bytes for each of at most 65,536 names of a file.
struct RecordedNames {
    static let remedy =
        "so the same URL has a name of its own in it; record every launch with one key: RequestRecorder(keys: "
        + ".hashedUnder(key))"

    private static let prefix = "https://recorded.invalid/"
    private static let most = 1 << 16

    private var files: [Int: Set<UInt64>] = [:]

    mutating func note(_ request: TraceRequest, in file: Int) {
        guard let url = request.url, url.hasPrefix(Self.prefix), files[file]?.count ?? 0 < Self.most else { return }
        files[file, default: []].insert(request.id)
    }

    /// The first file that has no name in common with any other; `nil` where each has some, or too many to tell.
    var isStrange: Int? {
        guard files.count > 1, files.values.allSatisfy({ $0.count < Self.most }) else { return nil }
        return files.keys.sorted().first { file in
            files.allSatisfy { $0.key == file || $0.value.isDisjoint(with: files[file] ?? []) }
        }
    }
}
