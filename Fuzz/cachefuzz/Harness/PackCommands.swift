import Platform

/// The commands that write packs and take them apart. The instrumented binary has them as well, so that the scripts
/// need no second build.
enum PackCommands {
    static let names = ["pack", "unpack", "keep"]

    /// Runs a command.
    ///
    /// - Returns: the exit code; `nil` if the operands are not those of the command.
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

    /// Writes a pack of the files below a directory.
    private static func pack(_ path: String, from directory: String) throws(CorpusError) {
        var inputs: [CorpusPack.Input] = []
        try Corpus.forEach(at: directory) { (file, bytes) throws(CorpusError) in
            let name = file.split(separator: "/").last.map(String.init) ?? ""
            inputs.append(.init(name: CorpusNames.name(ofFile: name, with: bytes), bytes: bytes))
        }
        try Corpus.save(CorpusPack(inputs).text, to: path)
    }

    /// Writes each input into a file of its name. The directory is made unless it is there.
    private static func unpack(_ path: String, to directory: String) throws(CorpusError) {
        let pack = try Corpus.pack(at: path)
        guard mkdir(directory, 0o755) == 0 || errno == EEXIST else { throw .system(directory) }
        for input in pack.inputs { try Corpus.save(input.bytes, to: "\(directory)/\(input.name)") }
    }

    /// Adds one input to a pack, which is made unless it is there.
    private static func keep(_ path: String, kind: String, file: String, slug: String) throws(CorpusError) {
        let bytes = try Corpus.contents(of: file)
        let name = CorpusNames.name(kind: kind, slug: slug, of: bytes)
        guard ["seed", "regression"].contains(kind), CorpusPack.isName(name) else {
            throw CorpusError(
                path: name, reason: "it is no name of an input",
                remedy: "the kind is seed or regression, and small letters, digits and dashes say what it is")
        }
        let present = access(path, F_OK) == 0 ? try Corpus.pack(at: path).inputs : []
        // The same input may be there under another name, as one that fuzzing found.
        try Corpus.save(
            CorpusPack(present.filter { $0.bytes != bytes } + [.init(name: name, bytes: bytes)]).text, to: path)
        print("\(path)/\(name)")
    }
}
