import Testing
import URLCaching

@testable import URLCaching

@Suite struct CacheDirectoryTests {
    #if os(Linux)
    @Test("XDG_CACHE_HOME comes first when it is absolute, then HOME, then the user database") func order() {
        let name = ProcessInfo.processInfo.processName
        #expect(
            CacheDirectory.path(nil, environment: ["XDG_CACHE_HOME": "/caches", "HOME": "/home/a"])
                == "/caches/\(name)/ResponseCache")
        #expect(
            CacheDirectory.path(nil, environment: ["XDG_CACHE_HOME": "caches", "HOME": "/home/a"])
                == "/home/a/.cache/\(name)/ResponseCache")
        let usual = "\(NSHomeDirectory())/.cache/\(name)/ResponseCache"
        for environment in [[:], ["HOME": "home/a"], ["XDG_CACHE_HOME": "", "HOME": ""]] {
            #expect(CacheDirectory.path(nil, environment: environment) == usual)
        }
    }

    @Test("a path that does not begin at the root is in the process's folder, wherever the process was started")
    func names() {
        let folder = "/caches/\(ProcessInfo.processInfo.processName)"
        for (path, directory) in [
            ("images", "\(folder)/images"), ("a/b", "\(folder)/a/b"), ("", "\(folder)/ResponseCache"), ("/a", "/a"),
        ] {
            #expect(CacheDirectory.path(path, environment: ["XDG_CACHE_HOME": "/caches"]) == directory)
        }
    }
    #endif
}
