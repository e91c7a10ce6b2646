/// A number that is another one after each start of the system; 0 if the system does not say.
///
/// Nothing that was written since then has been lost to a power cut.
package func bootIdentity() -> UInt64 {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 64) { text in
        #if canImport(Darwin)
        var count = text.count
        guard sysctlbyname("kern.bootsessionuuid", text.baseAddress, &count, nil, 0) == 0 else { return 0 }
        #else
        let descriptor = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return 0 }
        defer { close(descriptor) }
        let count = read(descriptor, text.baseAddress, text.count)
        #endif
        return count <= 0 ? 0 : fnv1a(text[..<Int(count)])
    }
}
