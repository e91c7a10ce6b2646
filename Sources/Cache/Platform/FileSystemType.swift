// Invariant of the pointers: `line` is `nil` or a buffer of `capacity` bytes of `getline`, freed once.

/// The type of the file system that holds `path`: `ext4`, `tmpfs`, `apfs`; `nil` when the system does not say.
package func fileSystemType(at path: String) -> String? {
    #if canImport(Darwin)
    var information = statfs()
    guard statfs(path, &information) == 0 else { return nil }
    return withUnsafeBytes(of: information.f_fstypename) { name in
        String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    }
    #else
    var information = stat()
    guard stat(path, &information) == 0, let mounts = fopen("/proc/self/mountinfo", "re") else { return nil }
    defer { fclose(mounts) }
    // proc(5): `36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw`; the third field is the device. The
    // bits of a dev_t are laid out as glibc's gnu_dev_major and gnu_dev_minor read them.
    let device = UInt64(information.st_dev)
    let major = (device >> 8 & 0xFFF) | (device >> 32 & 0xFFFF_F000)
    let minor = (device & 0xFF) | (device >> 12 & 0xFFFF_FF00)
    var line: UnsafeMutablePointer<CChar>?
    var capacity = 0
    defer { free(line) }
    while getline(&line, &capacity, mounts) > 0, let text = line.map({ String(cString: $0) }) {
        let fields = text.split(separator: " ")
        guard fields.count > 3, fields[2] == "\(major):\(minor)" else { continue }
        return fields.firstIndex(of: "-").flatMap { fields.dropFirst($0 + 1).first }.map(String.init)
    }
    return nil
    #endif
}
