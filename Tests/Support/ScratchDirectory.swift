import Foundation
import Platform

/// A temporary directory for one test.
public final class ScratchDirectory {
    /// The directory in which tests make theirs: that of the environment, or /tmp.
    public static let parent: String = {
        let named = ProcessInfo.processInfo.environment["TMPDIR"] ?? ""
        return named.isEmpty ? "/tmp" : named.count > 1 && named.hasSuffix("/") ? String(named.dropLast()) : named
    }()

    /// Its path.
    public let path: String

    /// Creates an empty directory.
    public init() throws {
        var template = Array("\(Self.parent)/gauge-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw CannotBeMade(parent: Self.parent, reason: SystemError.last) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// The names in it.
    public var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? ["unreadable"] }

    /// Whether a file of that name is anywhere in it.
    public func holds(_ name: String) -> Bool {
        let all = FileManager.default.enumerator(atPath: path)
        while let found = all?.nextObject() as? String {
            if found.hasSuffix("/\(name)") { return true }
        }
        return false
    }
}

/// A test has no directory to work in.
private struct CannotBeMade: Error, CustomStringConvertible {
    let parent: String
    let reason: SystemError

    var description: String {
        "no directory can be made in \(parent): \(reason); name another with the variable TMPDIR"
    }
}
