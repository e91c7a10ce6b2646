import Platform

/// Why an input could not be read.
struct CorpusError: Error, CustomStringConvertible {
    let path: String
    let reason: String

    var description: String { "cannot read \(path): \(reason); pass a readable file or a directory of inputs" }

    /// An error with the reason in `errno`.
    static func system(_ path: String) -> CorpusError {
        CorpusError(path: path, reason: String(cString: strerror(errno)))
    }
}

/// The inputs on disk.
enum Corpus {
    /// The length in bytes above which a file is refused: 16 MiB, longer than any input of the corpus.
    static let largestInput = 16 << 20

    /// The regular files at `path`: the file itself or, for a directory, all files below it in the order of their
    /// names. Hidden files and symbolic links are skipped.
    static func files(at path: String) throws(CorpusError) -> [String] {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw .system(path) }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return [path]
        case S_IFDIR: break
        default: return []
        }
        guard let directory = opendir(path) else { throw .system(path) }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        var files: [String] = []
        for name in names.sorted() { files += try Self.files(at: "\(path)/\(name)") }
        return files
    }

    /// The bytes of one input, of which there may be at most `largestInput`.
    static func contents(of path: String) throws(CorpusError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .system(path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw .system(path) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= largestInput else {
                throw CorpusError(path: path, reason: "it is longer than \(largestInput) bytes")
            }
        }
    }
}
