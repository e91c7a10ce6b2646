import CSupport

/// The part of a worker that is watched by tools that count instructions.
package enum MeasuredRegion {
    /// Runs `body` inside a function that is never inlined, `cs_measured_region`.
    package static func run(_ body: () -> Void) {
        withoutActuallyEscaping(body) { body in
            var body = body
            // The pointer is used only during the call, by the function passed with it.
            withUnsafeMutablePointer(to: &body) {
                cs_measured_region({ $0?.assumingMemoryBound(to: (() -> Void).self).pointee() }, $0)
            }
        }
    }
}
