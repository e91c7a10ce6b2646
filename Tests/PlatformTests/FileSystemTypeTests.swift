import Platform
import Testing

@Suite struct FileSystemTypeTests {
    // The device numbers of file systems without a disk differ in major and minor number.
    @Test(
        "the type is that of the file system that holds the path",
        .enabled(if: access("/proc/self/mountinfo", R_OK) == 0))
    func types() {
        #expect(fileSystemType(at: "/proc/self") == "proc")
        #expect(fileSystemType(at: "/sys/kernel") == "sysfs")
    }

    @Test("a pipe is in no file system that is mounted", .enabled(if: access("/proc/self/mountinfo", R_OK) == 0))
    func pipe() {
        var ends: [Int32] = [-1, -1]
        #expect(Platform.pipe(&ends) == 0 && fileSystemType(at: "/proc/self/fd/\(ends[0])") == nil)
        for end in ends { close(end) }
    }

    @Test("a path that does not exist has none") func missing() { #expect(fileSystemType(at: "/no/such/path") == nil) }
}
