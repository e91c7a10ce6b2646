import Dispatch

/// Runs `body` on another thread, not before `nanoseconds` have passed.
public func runLater(_ nanoseconds: UInt64, _ body: @escaping @Sendable () -> Void) {
    DispatchQueue.global(qos: .utility).asyncAfter(
        deadline: .now() + .nanoseconds(Int(clamping: nanoseconds)), execute: body)
}
