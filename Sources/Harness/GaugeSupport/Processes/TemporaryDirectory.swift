import Foundation
import Platform

/// A new directory with a unique name, removed with its contents at the end.
package final class TemporaryDirectory: Sendable {
    package let path: String

    private static let prefix = "cachegauge-"
    private static let unique = 6

    /// - Parameter parent: where to make it; `$TMPDIR` or `/tmp` if `nil`.
    package init(in parent: String?) throws {
        let parent = parent ?? Self.usualParent(ProcessInfo.processInfo.environment["TMPDIR"])
        var template = Array("\(parent)/\(Self.prefix)\(String(repeating: "X", count: Self.unique))".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw GaugeError(
                "no directory can be made in \(parent): \(SystemError.last); name another one with --directory")
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    static func usualParent(_ stated: String?) -> String { stated.flatMap { $0.isEmpty ? nil : $0 } ?? "/tmp" }

    /// Whether a directory's name has the form of these.
    package static func isName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.utf8.count == prefix.utf8.count + unique
    }

    /// Makes a subdirectory and returns its path.
    package func subdirectory(_ name: String) throws -> String {
        let inner = "\(path)/\(name)"
        guard mkdir(inner, 0o700) == 0 else { throw GaugeError("\(inner) cannot be made: \(SystemError.last)") }
        return inner
    }

    package func remove() { try? FileManager.default.removeItem(atPath: path) }
}
