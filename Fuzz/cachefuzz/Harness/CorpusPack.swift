import Platform

/// The inputs of one target in one text file, `Fuzz/Corpora/TARGET.pack`, a line each, by name:
///
///     corpus pack 1
///     corpus-7c1fed21-max-age-60 max-age=60
///     regression-3d418e9a-died-while-starting-over \x07\x00\*12;
///     seed-da39a3ee-empty
///
/// After the name come a space and the bytes, unless there are none. Printable ASCII stands for itself. Everything else
/// begins with a backslash: `\n`, `\r`, `\t`, `\\`, any byte as `\x00` to `\xff`, and `\*12;`, which makes 12 of the
/// byte before it. So a diff shows which inputs came and went, and you can find one with `grep`.
struct CorpusPack: Equatable {
    struct Input: Equatable {
        /// A file name: 1 to 120 letters, digits, `-`, `_` and `.`, not beginning with `.` or `-`.
        let name: String
        let bytes: [UInt8]
    }

    /// By name; each name occurs once.
    let inputs: [Input]

    static let head = "corpus pack 1"
    /// The most bytes of all inputs together: 64 MiB. A short line can stand for a long input.
    static let mostBytes = 64 << 20

    /// A pack of these inputs. Of several with the same name or bytes, the last by name stays: a regression or a seed
    /// rather than a find of the fuzzer.
    init(_ inputs: [Input]) {
        var (names, contents): (Set<String>, Set<[UInt8]>) = ([], [])
        var kept: [Input] = []
        for input in inputs.sorted(by: { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }).reversed()
        where !names.contains(input.name) && !contents.contains(input.bytes) {
            names.insert(input.name)
            contents.insert(input.bytes)
            kept.append(input)
        }
        self.inputs = kept.reversed()
    }

    /// Reads a file's bytes. The inputs may be in any order.
    ///
    /// - Throws: the number of the first wrong line, and what is wrong with it.
    init(reading text: [UInt8]) throws(CorpusPackError) {
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)
        guard let first = lines.first, first.elementsEqual(Self.head.utf8) else {
            throw CorpusPackError(line: 1, reason: "it is not '\(Self.head)'")
        }
        guard lines.last?.isEmpty == true else {
            throw CorpusPackError(line: lines.count, reason: "the file ends within it")
        }
        lines.removeLast()
        var names: Set<String> = []
        var inputs: [Input] = []
        var room = Self.mostBytes
        for (index, line) in lines.enumerated().dropFirst() {
            let name = String(decoding: line.prefix { $0 != 0x20 }, as: UTF8.self)
            func failure(_ reason: String) -> CorpusPackError { CorpusPackError(line: index + 1, reason: reason) }
            guard Self.isName(name) else { throw failure("it does not begin with the name of an input") }
            guard names.insert(name).inserted else { throw failure("\(name) is there twice") }
            let escaped = line.dropFirst(name.utf8.count + 1)
            guard escaped.isEmpty == (name.utf8.count == line.count) else {
                throw failure("\(name) is followed by a space and nothing")
            }
            do throws(CorpusPackError.Escape) {
                inputs.append(Input(name: name, bytes: try Self.bytes(of: escaped, room: &room)))
            } catch {
                throw failure("\(name): \(error.reason)")
            }
        }
        self.inputs = inputs.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    var text: [UInt8] {
        var text = Array(Self.head.utf8) + [0x0A]
        for input in inputs {
            text += input.name.utf8
            if !input.bytes.isEmpty { text.append(0x20) }
            Self.append(input.bytes, to: &text)
            text.append(0x0A)
        }
        return text
    }

    static func isName(_ name: String) -> Bool {
        guard let first = name.utf8.first, first != 0x2D, first != 0x2E, name.utf8.count <= 120 else { return false }
        return name.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F: true
            default: false
            }
        }
    }
}

/// What is wrong with a pack, and in which line.
struct CorpusPackError: Error, Equatable {
    let line: Int
    let reason: String

    struct Escape: Error { let reason: String }
}

// MARK: - Bytes as text

extension CorpusPack {
    /// So many equal bytes are counted instead of repeated.
    private static let shortestRun = 8

    private static let letters: [UInt8: UInt8] = [0x6E: 0x0A, 0x72: 0x0D, 0x74: 0x09, 0x5C: 0x5C]
    private static let digits = Array("0123456789abcdef".utf8)

    private static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        var start = 0
        while start < bytes.count {
            let byte = bytes[start]
            var end = start + 1
            while end < bytes.count, bytes[end] == byte { end += 1 }
            let isRun = end - start >= shortestRun
            // An editor may remove a space at the end of a line.
            for place in start..<(isRun ? start + 1 : end) {
                append(byte, isLast: place == bytes.count - 1, to: &text)
            }
            if isRun { text += "\\*\(end - start);".utf8 }
            start = end
        }
    }

    private static func append(_ byte: UInt8, isLast: Bool, to text: inout [UInt8]) {
        if let letter = letters.first(where: { $0.value == byte })?.key {
            text += [0x5C, letter]
        } else if 0x21...0x7E ~= byte || byte == 0x20 && !isLast {
            text.append(byte)
        } else {
            text += [0x5C, 0x78, digits[Int(byte >> 4)], digits[Int(byte & 0xF)]]
        }
    }

    /// - Parameter room: how many more bytes the pack may have.
    private static func bytes(
        of text: ArraySlice<UInt8>, room: inout Int
    ) throws(CorpusPackError.Escape) -> [UInt8] {
        var bytes: [UInt8] = []
        var place = text.startIndex
        while place < text.endIndex {
            let byte = text[place]
            let before = bytes.count
            place += 1
            if byte != 0x5C {
                guard 0x20...0x7E ~= byte else { throw .init(reason: "the byte \(byte) stands there unescaped") }
                bytes.append(byte)
            } else {
                let letter = place < text.endIndex ? text[place] : 0
                place += 1
                switch letter {
                case 0x78:
                    let places = text[place...].prefix(2).compactMap { digits.firstIndex(of: $0) }
                    guard places.count == 2 else {
                        throw .init(reason: "\\x is not followed by two small hexadecimal digits")
                    }
                    bytes.append(UInt8(places[0] << 4 | places[1]))
                    place += 2
                case 0x2A:
                    let number = text[place...].prefix { $0 != 0x3B }
                    guard let last = bytes.last, number.count <= 9, number.allSatisfy({ 0x30...0x39 ~= $0 }),
                        number.endIndex < text.endIndex, let count = Int(String(decoding: number, as: UTF8.self)),
                        count > 0
                    else { throw .init(reason: "\\* is not followed by a number and ;, or repeats nothing") }
                    guard count - 1 <= room, bytes.count + count - 1 <= Corpus.largestInput else { throw tooLong }
                    bytes += [UInt8](repeating: last, count: count - 1)
                    place = number.endIndex + 1
                default:
                    guard let meant = letters[letter] else {
                        throw .init(reason: "a backslash is not followed by n, r, t, x, * or a backslash")
                    }
                    bytes.append(meant)
                }
            }
            room -= bytes.count - before
            guard room >= 0, bytes.count <= Corpus.largestInput else { throw tooLong }
        }
        return bytes
    }

    private static var tooLong: CorpusPackError.Escape {
        .init(reason: "it is longer than \(Corpus.largestInput) bytes, or all inputs than \(mostBytes)")
    }
}

/// The commands that write and unpack packs. The instrumented binary has them too, so that the scripts need no second
/// build.
enum PackCommands {
    static let names = ["pack", "unpack", "keep"]

    /// Runs a command.
    ///
    /// - Returns: the exit code; `nil` for wrong operands.
    static func run(_ command: String, _ operands: [String]) -> CInt? {
        do throws(CorpusError) {
            switch (command, operands.count) {
            case ("pack", 2): try pack(operands[0], from: operands[1])
            case ("unpack", 2): try unpack(operands[0], to: operands[1])
            case ("keep", 4):
                try keep(operands[0], kind: operands[1], file: operands[2], slug: operands[3])
            default: return nil
            }
            return 0
        } catch {
            printError("cachefuzz: \(error.description)")
            return 1
        }
    }

    /// Packs the files below a directory.
    private static func pack(_ path: String, from directory: String) throws(CorpusError) {
        var inputs: [CorpusPack.Input] = []
        try Corpus.forEach(at: directory) { (file, bytes) throws(CorpusError) in
            let name = file.split(separator: "/").last.map(String.init) ?? ""
            inputs.append(.init(name: CorpusNames.name(ofFile: name, with: bytes), bytes: bytes))
        }
        try Corpus.save(CorpusPack(inputs).text, to: path)
    }

    /// Writes each input into a file with its name; makes the directory if needed.
    private static func unpack(_ path: String, to directory: String) throws(CorpusError) {
        let pack = try Corpus.pack(at: path)
        guard mkdir(directory, 0o755) == 0 || errno == EEXIST else { throw .system(directory) }
        for input in pack.inputs { try Corpus.save(input.bytes, to: "\(directory)/\(input.name)") }
    }

    /// Adds one input to a pack; makes the pack if needed.
    private static func keep(_ path: String, kind: String, file: String, slug: String) throws(CorpusError) {
        let bytes = try Corpus.contents(of: file)
        let name = CorpusNames.name(kind: kind, slug: slug, of: bytes)
        guard ["seed", "regression"].contains(kind), CorpusPack.isName(name) else {
            throw CorpusError(
                path: name, reason: "it is no name of an input",
                remedy: "the kind is seed or regression, and small letters, digits and dashes say what it is")
        }
        let present = access(path, F_OK) == 0 ? try Corpus.pack(at: path).inputs : []
        // The same input may be there under another name, found by fuzzing.
        try Corpus.save(
            CorpusPack(present.filter { $0.bytes != bytes } + [.init(name: name, bytes: bytes)]).text, to: path)
        print("\(path)/\(name)")
    }
}
