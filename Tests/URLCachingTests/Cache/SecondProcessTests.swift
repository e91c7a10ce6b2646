import CacheTiers
import TestSupport
import Testing
import URLCaching

/// Two processes with one directory, at once and one after the other.
@Suite(.timeLimit(.minutes(60))) struct SecondProcessTests {
    let scratch: ScratchDirectory
    let directory: String
    let url = "https://example.com/a"
    var request: URLRequest { URLRequest(url: URL(string: url)!) }

    init() throws {
        scratch = try ScratchDirectory()
        directory = scratch.path + "/cache"
    }

    @Test(
        "while another process owns the directory, opening it is a typed error, or goes on from memory: as one chooses")
    func lockedByAnotherProcess() throws {
        let owner = try RunningChild("CacheOwner", ["owning", directory, "store", url, "theirs", "hold"])
        owner.collect { $0.contains("holding\n") }
        defer { end(owner) }

        #expect(throws: DiskTierError.inUse(directory: directory)) {
            try ResponseCache(owning: URL(filePath: directory), memoryCapacity: 1 << 20, diskCapacity: 1 << 20)
        }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
        #expect(cache.diskProblem == .inUse(directory: directory))
        #expect(cache.cachedResponse(for: request) == nil)
        cache.storeCachedResponse(cached("mine"), for: request)
        #expect(cache.cachedResponse(for: request)?.data == Data("mine".utf8))

        let third = try ChildRun("CacheOwner", ["owning", directory])
        #expect(third.status == 3 && third.errors.contains(directory) && third.errors.contains("in use"))
        let fourth = try ChildRun("CacheOwner", ["lenient", directory, "store", url, "own", "find", url])
        #expect(fourth.status == 0 && fourth.output == "own\n")
    }

    @Test("what a process stored is found after it was killed, and what it removed is not") func restart() throws {
        let owner = try RunningChild(
            "CacheOwner",
            ["owning", directory, "store", url, "kept", "store", url + "/b", "gone", "remove", url + "/b", "hold"])
        owner.collect { $0.contains("holding\n") }
        end(owner)

        let next = try ChildRun("CacheOwner", ["owning", directory, "find", url, "find", url + "/b"])
        #expect(next.status == 0 && next.output == "kept\nmiss\n")
        let cache = try ResponseCache(owning: URL(filePath: directory), memoryCapacity: 1 << 20, diskCapacity: 1 << 20)
        #expect(cache.cachedResponse(for: request)?.data == Data("kept".utf8))
    }

    @Test("who came second gets the disk tier when the first is gone and the capacity is set again")
    func takingOver() throws {
        let owner = try RunningChild("CacheOwner", ["owning", directory, "store", url, "theirs", "hold"])
        owner.collect { $0.contains("holding\n") }
        let cache = ResponseCache(memoryCapacity: 1 << 20, diskCapacity: 1 << 20, diskPath: directory)
        cache.storeCachedResponse(cached("mine"), for: request)
        #expect(cache.diskCapacity == 0)
        cache.diskCapacity = 1 << 20
        #expect(cache.diskProblem == .inUse(directory: directory), "not yet")
        end(owner)

        cache.diskCapacity = 1 << 20
        #expect(cache.diskProblem == nil && cache.diskCapacity == 1 << 20)
        #expect(cache.cachedResponse(for: request)?.data == Data("mine".utf8))
        cache.memoryCapacity = 0
        #expect(cache.cachedResponse(for: request) == nil, "the older version of the other process is not found")
    }

    #if os(Linux)
    @Test("with no set-up at all the shared cache has 4 MiB and 20 MiB in the user's folder for caches")
    func defaults() throws {
        let run = try ChildRun(
            "CacheOwner", ["shared", "-", "describe", "store", url, "hello", "find", url],
            environment: ["XDG_CACHE_HOME": scratch.path])
        #expect(run.output == "4194304 20971520 no problem\nhello\n")
        #expect(scratch.holds("ResponseCache/cache.log"))
        let again = try ChildRun(
            "CacheOwner", ["shared", "-", "find", url], environment: ["XDG_CACHE_HOME": scratch.path])
        #expect(again.output == "hello\n")
    }

    @Test(
        "what a larger default cache has stored is there when a later process has set the capacity again",
        arguments: ["shared", "default"])
    func largerDefault(mode: String) throws {
        func run(_ steps: [String]) throws -> String {
            try ChildRun("CacheOwner", [mode, "-"] + steps, environment: ["XDG_CACHE_HOME": scratch.path]).output
        }
        let larger = ["capacity", "\(300 << 20)"]
        #expect(try run(larger + ["store", url, "hello", "fill", "400"]) == "")
        #expect(try run(larger + ["find", url, "describe"]) == "hello\n4194304 \(300 << 20) no problem\n")
        // Whoever sets nothing reads everything, leaves it, and is within the default once something was stored.
        for _ in 0..<2 { #expect(try run(["find", url, "describe"]) == "hello\n4194304 20971520 no problem\n") }
        #expect(try run(larger + ["find", url]) == "hello\n")
        #expect(try run(["store", url, "more", "find", url, "find", "https://example.com/0"]) == "more\nmiss\n")
        #expect(
            try FileManager.default.attributesOfItem(atPath: "\(scratch.path)/CacheOwner/ResponseCache/cache.log")[
                .size] as? Int ?? .max <= 20 << 20)
    }
    #endif

    private func end(_ child: RunningChild) {
        kill(child.process, SIGKILL)
        #expect(child.wait() == -SIGKILL)
    }
}
