import Platform

// Invariant of the pointers: the strings of `argv` and `envp` are copies that live until `posix_spawn` has returned,
// and both arrays end with a null pointer.

/// The path by which the running executable can be started again, even if it was replaced on disk, where the system
/// allows that.
package func ownExecutablePath() -> String? {
    #if canImport(Darwin)
    var length: UInt32 = 0
    _NSGetExecutablePath(nil, &length)
    var buffer = [CChar](repeating: 0, count: Int(length) + 1)
    guard _NSGetExecutablePath(&buffer, &length) == 0 else { return nil }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    #else
    return "/proc/self/exe"
    #endif
}

/// Starts a program in a new process group, with every signal at its default.
///
/// The program inherits descriptors that aren't marked close-on-exec, as with any fork.
///
/// - Parameters:
///   - executable: its path; `PATH` isn't searched.
///   - arguments: the arguments after `argv[0]`, which is `name`.
///   - environment: `NAME=value` each.
///   - descriptors: the program's standard input, output and error. None may be 0, 1 or 2.
/// - Returns: the process, or the `errno` of the failure.
func spawn(
    executable: String, name: String, arguments: [String], environment: [String],
    descriptors: (input: Int32, output: Int32, error: Int32)
) -> Result<pid_t, SystemError> {
    #if canImport(Darwin)
    var actions: posix_spawn_file_actions_t?
    var attributes: posix_spawnattr_t?
    #else
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, descriptors.input, STDIN_FILENO)
    posix_spawn_file_actions_adddup2(&actions, descriptors.output, STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&actions, descriptors.error, STDERR_FILENO)

    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigfillset(&signals)
    posix_spawnattr_setsigdefault(&attributes, &signals)
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setpgroup(&attributes, 0)
    let flags = Int32(POSIX_SPAWN_SETPGROUP) | Int32(POSIX_SPAWN_SETSIGDEF) | Int32(POSIX_SPAWN_SETSIGMASK)
    posix_spawnattr_setflags(&attributes, Int16(truncatingIfNeeded: flags))

    var argv: [UnsafeMutablePointer<CChar>?] = ([name] + arguments).map { strdup($0) } + [nil]
    var envp: [UnsafeMutablePointer<CChar>?] = environment.map { strdup($0) } + [nil]
    defer { for pointer in argv + envp { free(pointer) } }
    var process: pid_t = 0
    let code = posix_spawn(&process, executable, &actions, &attributes, &argv, &envp)
    return code == 0 ? .success(process) : .failure(SystemError(code: code))
}

/// Finds programs that may be installed.
package enum Programs {
    /// The path of an executable file in a list of directories such as `PATH`; `nil` if it is missing.
    package static func find(_ name: String, in path: String?) -> String? {
        for directory in (path ?? "").split(separator: ":") {
            let candidate = "\(directory)/\(name)"
            if access(candidate, X_OK) == 0 { return candidate }
        }
        return nil
    }
}
