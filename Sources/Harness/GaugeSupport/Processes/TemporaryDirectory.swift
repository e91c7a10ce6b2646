import Foundation
import Platform

/// A new directory with a name of its own, removed with all that is in it.
package final class TemporaryDirectory: Sendable {
    package let path: String

    private static let prefix = "cachegauge-"
    private static let unique = 6

    /// - Parameter parent: where it is made; `$TMPDIR` or `/tmp` when `nil`.
    package init(in parent: String?) throws {
        let parent = parent ?? ProcessInfo.processInfo.environment["TMPDIR"].flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp"
        var template = Array("\(parent)/\(Self.prefix)\(String(repeating: "X", count: Self.unique))".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw GaugeError(
                "no directory can be made in \(parent): \(SystemError.last); name another one with --directory")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Whether a directory is called as these are.
    package static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + unique
    }

    /// Makes a directory inside.
    package func subdirectory(_ name: String) throws -> String {
        let inner = "\(path)/\(name)"
        guard mkdir(inner, 0o700) == 0 else { throw GaugeError("\(inner) cannot be made: \(SystemError.last)") }
        return inner
    }

    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
