// Invariant of the pointers: `line` is `nil` or a buffer of `capacity` bytes from `getline`, freed once.

/// Extends an open file from its `length` to `byteCount` bytes, and allocates disk space for the new ones.
///
/// - Returns: 0, or the system's error number (`ENOSPC` if the disk is full).
package func reserveFileSpace(_ descriptor: Int32, from length: Int, to byteCount: Int) -> Int32 {
    #if canImport(Darwin)
    var request = fstore_t()
    request.fst_flags = UInt32(F_ALLOCATEALL)
    request.fst_posmode = F_PEOFPOSMODE
    request.fst_length = off_t(byteCount - length)
    // ENOTSUP: this file system cannot preallocate. A full disk will then show when we write.
    if fcntl(descriptor, F_PREALLOCATE, &request) != 0, errno == ENOSPC { return ENOSPC }
    return ftruncate(descriptor, off_t(byteCount)) == 0 ? 0 : errno
    #else
    while true {
        let code = posix_fallocate(descriptor, off_t(length), off_t(byteCount - length))
        if code != EINTR { return code }
    }
    #endif
}

/// Waits until the file's bytes, and the metadata needed to find them, would survive a power cut.
///
/// - Returns: 0, or the system's error number.
package func synchronizeFileData(_ descriptor: Int32) -> Int32 {
    #if canImport(Darwin)
    // On Apple systems fsync only reaches the drive; F_FULLFSYNC asks the drive to write to its medium.
    if fcntl(descriptor, F_FULLFSYNC) == 0 { return 0 }
    return fsync(descriptor) == 0 ? 0 : errno
    #else
    while fdatasync(descriptor) != 0 {
        if errno != EINTR { return errno }
    }
    return 0
    #endif
}

/// Waits until the names of a directory's files, its own, and those of the directories above it would survive a power
/// cut, as far as they can be opened. fsync(2): a file's bytes may survive without its name.
package func synchronizeNames(of directory: String) {
    for path in directories(upFrom: directory) {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        fsync(descriptor)
        close(descriptor)
    }
}

/// A directory and those above it, up to the root, or to the working directory.
package func directories(upFrom path: String) -> [String] {
    var paths = [path]
    while let path = paths.last, path != "/", path != "." {
        let slash = path.lastIndex(of: "/")
        paths.append(slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? ".")
    }
    return paths
}

/// Runs a call that writes to a file or extends it. Exceeding the file size limit (`RLIMIT_FSIZE`) is then the error
/// `EFBIG`; otherwise SIGXFSZ would end the process. The signal is blocked in the calling thread meanwhile, and its
/// handler stays. Two system calls, about 0.1 µs together.
///
/// - Parameter call: returns 0 or the system's error number.
/// - Returns: the result of `call`.
package func withoutFileSizeSignal(_ call: () -> Int32) -> Int32 {
    var signal = sigset_t()
    var before = sigset_t()
    sigemptyset(&signal)
    sigaddset(&signal, SIGXFSZ)
    pthread_sigmask(SIG_BLOCK, &signal, &before)
    defer { pthread_sigmask(SIG_SETMASK, &before, nil) }
    // A signal that was already pending is left for the thread that blocked it.
    let wasWaiting = sigismember(&before, SIGXFSZ) == 1 && isWaiting(SIGXFSZ)
    let code = call()
    if code == EFBIG, !wasWaiting, isWaiting(SIGXFSZ) {
        var taken: Int32 = 0
        sigwait(&signal, &taken)
    }
    return code
}

private func isWaiting(_ signal: Int32) -> Bool {
    var waiting = sigset_t()
    sigpending(&waiting)
    return sigismember(&waiting, signal) == 1
}

/// The type of the file system at `path`, e.g. `ext4`, `tmpfs` or `apfs`; `nil` if the system does not say.
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
    // bits of a dev_t are read as glibc's gnu_dev_major and gnu_dev_minor read them.
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

/// A number that changes whenever the system starts; 0 if the system does not say.
///
/// While it stays the same, no power cut has lost anything that was written.
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
