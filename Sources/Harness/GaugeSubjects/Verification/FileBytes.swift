import Foundation

/// The files of a directory, to be damaged.
package enum FileBytes {
    /// Regular files below a directory that are not empty, in the order of their names.
    package static func files(in directory: String) -> [(name: String, path: String)] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []
        return names.sorted().map { ($0, "\(directory)/\($0)") }.filter { _, path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.type] as? FileAttributeType == .typeRegular && (attributes?[.size] as? Int ?? 0) > 0
        }
    }

    /// The length of a file, bytes; 0 if there is none.
    static func length(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    package static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    package static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}
