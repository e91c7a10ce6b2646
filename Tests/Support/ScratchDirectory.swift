import Foundation
import Platform

/// A temporary directory for one test.
public final class ScratchDirectory {
    /// Its path.
    public let path: String

    /// Creates an empty directory.
    public init() throws {
        var template = Array("/tmp/gauge-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError.last }
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
