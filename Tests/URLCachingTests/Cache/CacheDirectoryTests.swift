import Testing
import URLCaching

@testable import URLCaching

@Suite struct CacheDirectoryTests {
    #if os(Linux)
    @Test("XDG_CACHE_HOME comes first when it is absolute, then HOME, then the user database")
    func order() {
        let name = ProcessInfo.processInfo.processName
        #expect(
            CacheDirectory.path(environment: ["XDG_CACHE_HOME": "/caches", "HOME": "/home/a"])
                == "/caches/\(name)/ResponseCache")
        #expect(
            CacheDirectory.path(environment: ["XDG_CACHE_HOME": "caches", "HOME": "/home/a"])
                == "/home/a/.cache/\(name)/ResponseCache")
        let usual = "\(NSHomeDirectory())/.cache/\(name)/ResponseCache"
        for environment in [[:], ["HOME": "home/a"], ["XDG_CACHE_HOME": "", "HOME": ""]] {
            #expect(CacheDirectory.path(environment: environment) == usual)
        }
    }
    #endif
}
