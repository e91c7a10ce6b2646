import Foundation

/// The lines that several programs print, as they come.
final class Lines {
    private let processes: [Process]
    private let pipe = Pipe()
    private var buffer = Data()

    /// Starts the programs; their errors go where this program's go.
    init(_ commands: [[String]]) throws {
        processes = try commands.map { [pipe] command in
            let process = Process()
            process.executableURL = URL(filePath: command[0])
            process.arguments = Array(command.dropFirst())
            // The handle, since Process closes a pipe that it is given.
            process.standardOutput = pipe.fileHandleForWriting
            process.standardInput = FileHandle.nullDevice
            try process.run()
            return process
        }
        // Otherwise reading would not end with the programs.
        try pipe.fileHandleForWriting.close()
    }

    /// The next line; `nil` when all programs have ended.
    ///
    /// - Throws: ``Failure`` if one of them failed.
    func next() throws -> String? {
        while true {
            if let end = buffer.firstIndex(of: UInt8(ascii: "\n")) {
                defer { buffer = Data(buffer[(end + 1)...]) }
                return String(decoding: buffer[..<end], as: UTF8.self)
            }
            let more = pipe.fileHandleForReading.availableData
            guard !more.isEmpty else { break }
            buffer += more
        }
        for process in processes {
            process.waitUntilExit()
            guard process.terminationStatus == 0 else { throw Failure("a process that tried mutants failed") }
        }
        return nil
    }
}
