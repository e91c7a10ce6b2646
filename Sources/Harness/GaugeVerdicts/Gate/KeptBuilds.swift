import Foundation
import GaugeSupport
import Platform

/// Executables of bases that earlier gates built, in the build directory of the package.
///
/// A base is a commit, which does not change, so it is built once for all that decides its code: product, flags, compiler,
/// architecture, C library and processor. A workflow that caches the folder finds the base of its last run there.
package struct KeptBuilds {
    package let folder: String

    /// The most executables that are kept; the one that was used least recently is removed first.
    package static let most = 8

    /// - Returns: `nil` for a package that was never built, which has no build directory.
    package init?(package: String) {
        var isDirectory: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(package)/.build", isDirectory: &isDirectory),
            isDirectory.boolValue
        else { return nil }
        folder = "\(package)/.build/gate-bases"
    }

    /// The name of a build: 32 hexadecimal digits of all that decides it, after the beginning of the commit.
    package static func name(commit: String, recipe: ProductBuild, variant: String = "", key: BaselineKey = .current)
        -> String
    {
        let text = ([commit, recipe.product, key.description, variant] + recipe.flags).joined(separator: "\0")
        func digits(_ hash: UInt64) -> String {
            let text = String(hash, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        let halves = [DecimalText.hash(text.utf8), DecimalText.hash((text + "\0").utf8)]
        return "\(commit.prefix(12))-\(halves.map(digits).joined())"
    }

    /// The path of a kept executable; `nil` when there is none.
    package func executable(_ name: String, product: String) -> String? {
        let path = "\(folder)/\(name)/\(product)"
        guard FileManager.default.isExecutableFile(atPath: path) else { return nil }
        // The time of the last use.
        try? FileManager.default.setAttributes([.modificationDate: Date()], ofItemAtPath: "\(folder)/\(name)")
        return path
    }

    /// Keeps an executable with what it expects beside itself. A failure is not the gate's: the next one builds again.
    package func keep(_ executable: String, as name: String) {
        let manager = FileManager.default
        let source = URL(fileURLWithPath: executable).resolvingSymlinksInPath()
        // Whole at once, since another gate may run.
        let unfinished = "\(folder)/unfinished-\(getpid())-\(name)"
        do {
            try manager.createDirectory(atPath: unfinished, withIntermediateDirectories: true)
            defer { try? manager.removeItem(atPath: unfinished) }
            for file in try manager.contentsOfDirectory(atPath: source.deletingLastPathComponent().path)
            where file == source.lastPathComponent || GateBuilds.isExpected(file) {
                let original = source.deletingLastPathComponent().appendingPathComponent(file).resolvingSymlinksInPath()
                try manager.copyItem(atPath: original.path, toPath: "\(unfinished)/\(file)")
            }
            try? manager.removeItem(atPath: "\(folder)/\(name)")
            try manager.moveItem(atPath: unfinished, toPath: "\(folder)/\(name)")
        } catch { return }
        removeOldest()
    }

    private func removeOldest() {
        let manager = FileManager.default
        let kept = ((try? manager.contentsOfDirectory(atPath: folder)) ?? []).map { name in
            let attributes = try? manager.attributesOfItem(atPath: "\(folder)/\(name)")
            return (name: name, date: attributes?[.modificationDate] as? Date ?? .distantPast)
        }.sorted { ($0.date, $0.name) > ($1.date, $1.name) }
        for old in kept.dropFirst(Self.most) { try? manager.removeItem(atPath: "\(folder)/\(old.name)") }
    }
}
