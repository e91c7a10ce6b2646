import CSupport
import CountedCopies
import Foundation
import Platform

/// Reads hostile inputs of n, 2n and 4n members, and prints how many bytes were allocated and copied for each. A
/// process of its own, since what other threads do would count.
///
///     CountedGrowth list
///     CountedGrowth READER
///
/// A loop that goes through all members for each of them may neither allocate nor copy. At 4n it takes more processor
/// time than the process may take, which is some hundred times what one loop takes. But for the nightly run n is half as
/// large, and the time a quarter.
@main
struct CountedGrowth {
    private static let part = ProcessInfo.processInfo.environment["CACHEGAUGE_NIGHTLY"] != nil ? 1 : 2

    static let inputs = SemanticsInputs.all + ReferenceInputs.all + TraceInputs.all

    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        if arguments == ["list"] {
            var listed: Set<String> = []
            return inputs.forEach { if listed.insert($0.reader).inserted { say($0.reader + "\n") } }
        }
        let chosen = inputs.filter { [$0.reader] == Array(arguments) }
        if chosen.isEmpty {
            say("usage: CountedGrowth list | CountedGrowth READER\n")
            exit(2)
        }
        let seconds = rlim_t(16 / (part * part))
        var limit = rlimit(rlim_cur: seconds, rlim_max: seconds)
        setrlimit(processorTimeLimit, &limit)
        for input in chosen {
            say("\(input.text):")
            // What is made once.
            input.prepare(10)()
            for count in [input.count / part, 2 * input.count / part, 4 * input.count / part] {
                let read = input.prepare(count)
                let (allocated, copied) = (cs_allocated_bytes(), counted_copies())
                read()
                say(" \(cs_allocated_bytes() - allocated) \(counted_copies() - copied)")
            }
            say("\n")
        }
    }

    /// Writes at once, so that it is known what was read last.
    private static func say(_ text: String) { FileHandle.standardOutput.write(Data(text.utf8)) }
}

#if canImport(Glibc)
private let processorTimeLimit = __rlimit_resource_t(RLIMIT_CPU.rawValue)
#else
private let processorTimeLimit = RLIMIT_CPU
#endif

/// An input that grows with a number of members, and what reads it.
struct HostileInput: Sendable {
    /// What reads it, and what is in it.
    let reader, text: String
    /// n.
    let count: Int
    /// Makes an input of so many members; what it returns reads it.
    let prepare: @Sendable (_ members: Int) -> () -> Void

    init(_ reader: String, _ text: String, _ count: Int = 8_000, prepare: @escaping @Sendable (Int) -> () -> Void) {
        (self.reader, self.text, self.count, self.prepare) = (reader, text, count, prepare)
    }
}

/// Texts in which the same stands again and again.
enum Repeated {
    /// Names, and what makes of a number of members a text.
    static let lists: [(name: String, text: @Sendable (Int) -> String)] = [
        ("commas", { String(repeating: ",", count: $0) }),
        ("empty members", { String(repeating: " , ", count: $0) }),
        ("equal members", { String(repeating: "a, ", count: $0) }),
        ("different members", { (0..<$0).map { "a\($0)" }.joined(separator: ",") }),
        ("numbers", { String(repeating: "max-age=1,", count: $0) }),
        ("quoted members", { String(repeating: "\"a\",", count: $0) }),
        ("quotes", { String(repeating: "\"", count: $0) }),
        ("open quotes", { String(repeating: "a=\",", count: $0) }),
        ("escapes", { "\"" + String(repeating: "\\\"", count: $0) }),
        ("blanks", { String(repeating: " ", count: $0) + "a" + String(repeating: "\t", count: $0) }),
        ("digits", { String(repeating: "9", count: $0) }),
        ("ranges", { "bytes=" + String(repeating: "0-1,", count: $0) }),
        ("weak tags", { String(repeating: "W/\"", count: $0) }),
        ("brackets", { String(repeating: "([{<", count: $0) }),
        ("weights", { String(repeating: "en;q=0.5,", count: $0) }),
    ]
}
