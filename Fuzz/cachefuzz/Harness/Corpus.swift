import Platform

/// Why an input couldn't be read or written.
struct CorpusError: Error, CustomStringConvertible {
    let path: String
    let reason: String
    var remedy = "pass a readable file, a pack or a directory of inputs"

    var description: String { "cannot use \(path): \(reason); \(remedy)" }

    /// The error in `errno`.
    static func system(_ path: String) -> CorpusError {
        CorpusError(path: path, reason: String(cString: strerror(errno)))
    }
}

/// The inputs on disk, in files and in packs (see ``CorpusPack``).
enum Corpus {
    /// A longer file is refused, bytes: 16 MiB, more than any input of the corpus.
    static let largestInput = 16 << 20

    /// The repository's inputs for a target, below the current directory.
    static func pack(of target: String) -> String { "Fuzz/Corpora/\(target).pack" }

    /// Passes every input at `path` to `body`; for a directory, all below it, by name.
    ///
    /// `path` may also be `FILE.pack/NAME`, one input of a pack, as if the pack were a directory.
    ///
    /// - Returns: how many.
    @discardableResult
    static func forEach(
        at path: String, _ body: (_ path: String, _ bytes: [UInt8]) throws(CorpusError) -> Void
    ) throws(CorpusError) -> Int {
        if let (file, name) = placeInPack(path) {
            guard let input = try pack(at: file).inputs.first(where: { $0.name == name }) else {
                throw CorpusError(path: path, reason: "the pack has no input of that name")
            }
            try body(path, input.bytes)
            return 1
        }
        var count = 0
        for file in try files(at: path) {
            guard file.hasSuffix(".pack") else {
                try body(file, try contents(of: file))
                count += 1
                continue
            }
            let inputs = try pack(at: file).inputs
            for input in inputs { try body("\(file)/\(input.name)", input.bytes) }
            count += inputs.count
        }
        return count
    }

    static func pack(at path: String) throws(CorpusError) -> CorpusPack {
        let text = try contents(of: path)
        do throws(CorpusPackError) {
            return try CorpusPack(reading: text)
        } catch {
            throw CorpusError(
                path: path, reason: "line \(error.line): \(error.reason)",
                remedy: "take it from git again, or write it anew with cachefuzz pack")
        }
    }

    /// The pack and the name, if the path has a file where a directory ending in `.pack` would be.
    private static func placeInPack(_ path: String) -> (file: String, name: String)? {
        var status = stat()
        guard let slash = path.lastIndex(of: "/"), path[..<slash].hasSuffix(".pack") else { return nil }
        let file = String(path[..<slash])
        guard stat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return (file, String(path[path.index(after: slash)...]))
    }

    /// The regular files at `path`: the file itself or, for a directory, all files below it, by name. Hidden files and
    /// symbolic links are skipped.
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

    /// The bytes of a file, at most `largestInput`.
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

    /// Writes a file beside its place first, so that an existing one stays whole if this fails.
    static func save(_ bytes: [UInt8], to path: String) throws(CorpusError) {
        let beside = path + ".new"
        let file = open(beside, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw .system(beside) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else {
                let error = CorpusError.system(beside)
                close(file)
                unlink(beside)
                throw error
            }
            rest = rest.dropFirst(count)
        }
        guard close(file) == 0, rename(beside, path) == 0 else { throw .system(path) }
    }
}

/// The names of inputs: kind-hash-slug, where the hash is the first 8 digits of the bytes' SHA-1.
///
///     seed-… written by hand
///     corpus-… found by fuzzing, as few inputs as have the same coverage; `Fuzz/fuzz merge` chooses them anew
///     regression-… broke a promise once; never removed
enum CorpusNames {
    static let kinds = ["corpus", "regression", "seed"]

    /// The name of an input.
    ///
    /// - Parameter slug: what it is, in lower-case letters, digits and dashes.
    static func name(kind: String, slug: String, of bytes: [UInt8]) -> String { "\(kind)-\(hash(of: bytes))-\(slug)" }

    /// A file's name in a pack: its own, if that fits the bytes; otherwise that of an input found by fuzzing.
    static func name(ofFile file: String, with bytes: [UInt8]) -> String {
        let parts = file.split(separator: "-", maxSplits: 2)
        if parts.count == 3, kinds.contains(String(parts[0])), parts[1] == hash(of: bytes), CorpusPack.isName(file) {
            return file
        }
        return name(kind: "corpus", slug: slug(of: bytes), of: bytes)
    }

    private static func hash(of bytes: [UInt8]) -> String { String(SHA1.hex(bytes).prefix(8)) }

    /// The beginning of the text, or the length of anything else.
    static func slug(of bytes: [UInt8]) -> String {
        let start = bytes.prefix(40)
        let isText = start.allSatisfy { 0x20...0x7E ~= $0 || [0x09, 0x0A, 0x0D].contains($0) }
        let words = start.split { !($0 < 0x80 && (Character(Unicode.Scalar($0)).isLetter || 0x30...0x39 ~= $0)) }
        var slug = String(
            words.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "-").lowercased().prefix(24))
        while slug.hasSuffix("-") { slug.removeLast() }
        return isText && !slug.isEmpty ? slug : "\(bytes.count)-bytes"
    }
}

/// SHA-1 (FIPS 180-4), by which libFuzzer names its files.
enum SHA1 {
    /// The digest of some bytes, in 40 hexadecimal digits.
    static func hex(_ bytes: [UInt8]) -> String {
        var state: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
        var message = bytes + [0x80]
        while message.count % 64 != 56 { message.append(0) }
        let length = UInt64(bytes.count) * 8
        message += (0..<8).map { UInt8(truncatingIfNeeded: length >> (56 - 8 * UInt64($0))) }
        for block in stride(from: 0, to: message.count, by: 64) { add(message[block..<block + 64], to: &state) }
        return state.map { word in
            let digits = String(word, radix: 16)
            return String(repeating: "0", count: 8 - digits.count) + digits
        }.joined()
    }

    private static func add(_ block: ArraySlice<UInt8>, to state: inout [UInt32]) {
        var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { start in
            block[start..<start + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        }
        for index in 16..<80 {
            words.append(rotated(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], by: 1))
        }
        var (a, b, c, d, e) = (state[0], state[1], state[2], state[3], state[4])
        for (index, word) in words.enumerated() {
            let (choice, constant): (UInt32, UInt32) =
                switch index / 20 {
                case 0: (b & c | ~b & d, 0x5A82_7999)
                case 1: (b ^ c ^ d, 0x6ED9_EBA1)
                case 2: (b & c | b & d | c & d, 0x8F1B_BCDC)
                default: (b ^ c ^ d, 0xCA62_C1D6)
                }
            let next = rotated(a, by: 5) &+ choice &+ e &+ constant &+ word
            (a, b, c, d, e) = (next, a, rotated(b, by: 30), c, d)
        }
        for (index, word) in [a, b, c, d, e].enumerated() { state[index] &+= word }
    }

    private static func rotated(_ word: UInt32, by count: UInt32) -> UInt32 { word << count | word >> (32 - count) }
}
