import CSupport

/// The part of a worker that tools which count instructions are told to watch.
enum MeasuredRegion {
    /// Runs `body` inside a function that is never inlined, `cs_measured_region`.
    static func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            var body = body
            // The pointer is used only during the call, by the function that is given with it.
            withUnsafeMutablePointer(to: &body) {
                cs_measured_region({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, $0)
            }
        }
    }
}
