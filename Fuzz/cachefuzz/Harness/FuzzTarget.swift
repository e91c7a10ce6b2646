import Platform

/// One input boundary, with the oracle that judges what happens behind it.
struct FuzzTarget: Sendable {
    /// The name on the command line, of the corpus and of the dictionary.
    let name: String
    let subject: Subject
    /// Runs one input. Returns if every promise held; otherwise calls `fuzzFailure`.
    let run: @Sendable (UnsafeRawBufferPointer) -> Void
    /// A readable description of the input, several lines.
    let describe: @Sendable (UnsafeRawBufferPointer) -> String
    /// How inputs are mutated and crossed over; `nil` leaves both to libFuzzer.
    let mutation: InputMutation?

    /// The two parts of the program. No target tests code of both, so libFuzzer sees one part's counters.
    enum Subject { case cache, gauge }

    init(
        _ name: String, of subject: Subject = .cache, mutation: InputMutation? = nil,
        describe: @escaping @Sendable (UnsafeRawBufferPointer) -> String = { ByteDump.text(of: $0) },
        run: @escaping @Sendable (UnsafeRawBufferPointer) -> Void
    ) {
        self.name = name
        self.subject = subject
        self.mutation = mutation
        self.describe = describe
        self.run = run
    }
}

/// Ends the process because a promise was broken: libFuzzer keeps the input, a test sees the message.
func fuzzFailure(_ message: String) -> Never {
    fatalError("fuzz oracle: \(message)")
}

extension FuzzTarget {
    static func named(_ name: String) -> FuzzTarget? {
        all.first { $0.name == name }
    }

    /// Prints on stderr that no target has this name, and which there are.
    static func printUnknown(_ name: String) {
        let names = all.map(\.name).joined(separator: ", ")
        printError("cachefuzz: no target is called '\(name)'; the targets are \(names)")
    }
}

func printError(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = bytes.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
}

extension FuzzTarget {
    /// Prints the input at `path` in readable form; each input, for a pack or a directory.
    ///
    /// - Returns: the exit code.
    func dump(_ path: String) -> CInt {
        do throws(CorpusError) {
            try Corpus.forEach(at: path) { (path, input) throws(CorpusError) in
                print("\(name) \(path)")
                print(input.withUnsafeBytes { describe($0) })
            }
            return 0
        } catch {
            printError("cachefuzz: \(error.description)")
            return 1
        }
    }

    static func numbered(_ lines: [String]) -> String {
        "\(lines.count) operations\n"
            + lines.enumerated().map { "\($0.offset): \($0.element)" }.joined(separator: "\n")
    }
}

/// An input as text with unprintable bytes escaped, and as hexadecimal digits.
enum ByteDump {
    /// How many bytes of a longer input are shown.
    static let longest = 65_536

    static func text(of bytes: UnsafeRawBufferPointer) -> String {
        "\(bytes.count) bytes\n" + escaped(bytes.prefix(longest)) + "\n" + hexadecimal(bytes.prefix(longest))
    }

    static func escaped(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var text = ""
        for byte in bytes {
            switch byte {
            case 0x0A: text += "\\n\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0x5C: text += "\\\\"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x" + digits(UInt64(byte), 2)
            }
        }
        return text
    }

    /// The bytes as text on one line.
    static func escaped(_ bytes: [UInt8]) -> String {
        bytes.withUnsafeBytes { escaped($0.prefix(longest)).replacing("\n", with: "") }
    }

    /// The bytes as hexadecimal digits, sixteen to a line, after their offset.
    static func hexadecimal(_ bytes: Slice<UnsafeRawBufferPointer>) -> String {
        var lines: [String] = []
        for start in stride(from: bytes.startIndex, to: bytes.endIndex, by: 16) {
            let line = bytes[start..<min(start + 16, bytes.endIndex)]
            let place = digits(UInt64(start - bytes.startIndex), 8)
            lines.append(place + " " + line.map { " " + digits(UInt64($0), 2) }.joined())
        }
        return lines.joined(separator: "\n")
    }

    static func digits(_ number: UInt64, _ count: Int) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}
