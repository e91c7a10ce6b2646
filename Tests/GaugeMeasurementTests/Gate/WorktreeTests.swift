import Foundation
import Platform
import TestSupport
import Testing

@testable import GaugeSupport
@testable import GaugeMeasurement

/// Checkouts of a repository that lies beside another folder.
@Suite("Worktrees of the gate") struct WorktreeTests {
    private let scratch: ScratchDirectory
    private let root: String

    init() throws {
        scratch = try ScratchDirectory()
        root = "\(scratch.path)/package"
        for folder in [root, "\(scratch.path)/Other", "\(scratch.path)/base", "\(scratch.path)/.hidden"] {
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        }
        try "one".write(toFile: "\(root)/file", atomically: true, encoding: .utf8)
        try git("init", "--quiet", "--initial-branch=main")
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "first")
        try "two".write(toFile: "\(root)/file", atomically: true, encoding: .utf8)
    }

    private func git(in folder: String? = nil, _ arguments: String...) throws {
        let run = try ChildRun(
            "sh",
            ["-c", "cd '\(folder ?? root)' && exec git -c user.name=a -c user.email=a@b.c \"$@\"", "sh"] + arguments)
        try #require(run.status == 0, "\(run.errors)")
    }

    private func repository() throws -> Repository { try Repository(around: root) }

    private func directory() throws -> TemporaryDirectory { try TemporaryDirectory(in: scratch.path) }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test("a checkout has the files of the commit, and beside it the siblings of the repository")
    func checkout() throws {
        let repository = try repository()
        let place = try directory()
        let worktree = try Worktree(of: try repository.commit("main"), in: repository, directory: place)
        #expect(worktree.path == "\(place.path)/checkout/base")
        #expect(try String(contentsOfFile: "\(worktree.path)/file", encoding: .utf8) == "one")
        let beside = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/checkout").sorted()
        // The directory of the worktree itself lies there as well in this test.
        #expect(beside.filter { !TemporaryDirectory.isName($0) } == ["Other", "base"])
        #expect(
            try FileManager.default.destinationOfSymbolicLink(atPath: "\(place.path)/checkout/Other")
                == "\(scratch.path)/Other")
        worktree.remove()
        #expect(!exists(worktree.path) && exists("\(scratch.path)/Other"))
    }

    /// A package whose submodule `Vendor/Lib` has one itself, `Inner`.
    private func addSubmodules() throws {
        for (folder, inner) in [("Inner", nil), ("Lib", "Inner")] as [(String, String?)] {
            let path = "\(scratch.path)/\(folder)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            try folder.write(toFile: "\(path)/code", atomically: true, encoding: .utf8)
            try git(in: path, "init", "--quiet", "--initial-branch=main")
            if let inner {
                try git(in: path, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "../\(inner)")
            }
            try git(in: path, "add", "--all")
            try git(in: path, "commit", "--quiet", "--message", folder)
        }
        try git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", "\(scratch.path)/Lib", "Vendor/Lib")
        try git("-c", "protocol.file.allow=always", "submodule", "--quiet", "update", "--init", "--recursive")
        try git("commit", "--quiet", "--all", "--message", "with a submodule")
    }

    @Test("a checkout has the submodules of the commit, from those of the working tree") func submodules() throws {
        try addSubmodules()
        let library = "\(root)/Vendor/Lib"
        try "newer".write(toFile: "\(library)/code", atomically: true, encoding: .utf8)
        try git(in: library, "commit", "--quiet", "--all", "--message", "newer")
        // No server is asked.
        for folder in ["Lib", "Inner"] { try FileManager.default.removeItem(atPath: "\(scratch.path)/\(folder)") }
        let repository = try repository()
        let commit = try repository.commit("main")
        let place = try directory()
        let worktree = try Worktree(of: commit, in: repository, directory: place)
        let copy = "\(worktree.path)/Vendor/Lib"
        #expect(try String(contentsOfFile: "\(copy)/code", encoding: .utf8) == "Lib")
        #expect(try String(contentsOfFile: "\(copy)/Inner/code", encoding: .utf8) == "Inner")
        worktree.remove()
        #expect(!exists(worktree.path) && exists("\(library)/Inner/code"))

        // A submodule that the working tree lacks is no obstacle, and a commit that it lacks is one.
        try FileManager.default.removeItem(atPath: "\(library)/Inner/.git")
        let without = try Worktree(of: commit, in: repository, directory: try directory())
        #expect(exists("\(without.path)/Vendor/Lib/code") && !exists("\(without.path)/Vendor/Lib/Inner/code"))
        try git(
            "update-index", "--cacheinfo", "160000,\(String(repeating: "1", count: 40)),Vendor/Lib")
        try git("commit", "--quiet", "--message", "unknown")
        let unknown = try directory()
        let error = #expect(throws: GaugeError.self) {
            try Worktree(of: try repository.commit("main"), in: repository, directory: unknown)
        }
        let told = error?.description ?? ""
        #expect(told.hasPrefix("the submodule Vendor/Lib cannot be checked out at 111111111111: "), "\(told)")
        #expect(told.hasSuffix("; run git fetch in \(library)") && !exists("\(unknown.path)/checkout/base"))
    }

    @Test("a commit without pins is checked out with those of the working tree") func pins() throws {
        func pins(_ commit: String) throws -> String {
            let repository = try repository()
            let commit = try repository.commit(commit)
            let worktree = try Worktree(of: commit, in: repository, directory: try directory())
            defer { worktree.remove() }
            let text = try String(contentsOfFile: "\(worktree.path)/Package.resolved", encoding: .utf8)
            let taken = try repository.pins(at: commit).map { String(decoding: $0, as: UTF8.self) }
            #expect(taken == nil || taken == text)
            return text
        }
        try "one".write(toFile: "\(root)/Package.resolved", atomically: true, encoding: .utf8)
        #expect(try pins("HEAD") == "one")
        try git("add", "--all")
        try git("commit", "--quiet", "--message", "pinned")
        try "two".write(toFile: "\(root)/Package.resolved", atomically: true, encoding: .utf8)
        #expect(try pins("HEAD") == "one")
        #expect(try pins("HEAD~1") == "two")
    }

    @Test("the next worktree removes one whose process is gone, and none that is in use or has no owner yet")
    func stale() throws {
        let repository = try repository()
        let commit = try repository.commit("main")
        let (used, ownerless, gone) = (try directory(), try directory(), try directory())
        let first = try Worktree(of: commit, in: repository, directory: used)
        for place in [ownerless, gone] {
            _ = try place.subdirectory("checkout")
            try git("worktree", "add", "--quiet", "--detach", "\(place.path)/checkout/base", commit)
        }
        try "".write(toFile: "\(gone.path)/owner", atomically: true, encoding: .utf8)
        let next = try Worktree(of: commit, in: repository, directory: try directory())
        #expect(exists("\(first.path)/file") && exists("\(ownerless.path)/checkout/base/file"))
        #expect(!exists(gone.path))
        #expect(first.commit == commit && next.commit == commit)
    }

    @Test("a directory serves one worktree, and the second is refused with a remedy") func locked() throws {
        let repository = try repository()
        let commit = try repository.commit("main")
        let place = try directory()
        let worktree = try Worktree(of: commit, in: repository, directory: place)
        let held = scratch.openDescriptors
        let error = #expect(throws: GaugeError.self) {
            try Worktree(of: commit, in: repository, directory: place)
        }
        #expect(error?.description.hasPrefix("\(place.path)/owner cannot be locked: ") == true)
        #expect(error?.description.hasSuffix("; name another place with --directory") == true)
        #expect(exists("\(worktree.path)/file") && scratch.openDescriptors == held)
    }

    @Test("a commit that is not there is told with git's reason, and leaves no checkout") func unknown() throws {
        let repository = try repository()
        let place = try directory()
        let missing = String(repeating: "0", count: 40)
        let error = #expect(throws: GaugeError.self) {
            try Worktree(of: missing, in: repository, directory: place)
        }
        #expect(
            error?.description.hasPrefix("000000000000 cannot be checked out into \(place.path)/checkout/base: ")
                == true)
        #expect(!exists("\(place.path)/checkout/base"))
    }

    @Test("a package below the root of its repository is found at the same place of a checkout") func below() throws {
        let inner = "\(root)/Tools/Gauge"
        try FileManager.default.createDirectory(atPath: inner, withIntermediateDirectories: true)
        #expect(try Repository(around: inner).package(in: "/checkout") == "/checkout/Tools/Gauge")
        #expect(try repository().package(in: "/checkout") == "/checkout")
        #expect(throws: UsageError("'--all' is no revision; a name begins otherwise")) {
            try repository().commit("--all")
        }
        let outside = #expect(throws: GaugeError.self) { try Repository(around: scratch.path) }
        #expect(outside?.description.hasPrefix("\(scratch.path) is in no git repository that can be read: ") == true)
    }
}
