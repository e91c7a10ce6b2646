// Invariant of the pointer: a thread is given one reference to its `Body`, which it takes over.

/// Starts a thread as `startThread` does.
package typealias ThreadStart = @Sendable (_ body: @escaping @Sendable () -> Void) -> Bool

/// Runs `body` on a new thread, which ends with it. The thread blocks no signals that the caller does not.
///
/// - Returns: `false` when the system has no thread; `body` is then not run. Foundation's `Thread` does not tell.
@Sendable
package func startThread(_ body: @escaping @Sendable () -> Void) -> Bool {
    let start = Unmanaged.passRetained(Body(run: body))
    #if canImport(Darwin)
    var thread: pthread_t?
    let code = pthread_create(&thread, nil, { runBody($0) }, start.toOpaque())
    if let thread, code == 0 { pthread_detach(thread) }
    #else
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, { $0.flatMap { runBody($0) } }, start.toOpaque())
    if code == 0 { pthread_detach(thread) }
    #endif
    if code != 0 { start.release() }
    return code == 0
}

private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) { self.run = run }
}

private func runBody(_ start: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    Unmanaged<Body>.fromOpaque(start).takeRetainedValue().run()
    return nil
}
