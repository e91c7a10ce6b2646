import Foundation
import Platform
import TestSupport

/// Writes an executable that stands for another build of the planted one.
///
/// - Parameter build: see `PlantedGauge.build`.
func otherBuild(_ build: String, in scratch: ScratchDirectory) throws -> String {
    let script = "\(scratch.path)/\(build)"
    try """
    #!/bin/sh
    PLANTED_BUILD=\(build)
    export PLANTED_BUILD
    exec '\(RunningChild.path(of: "PlantedGauge"))' "$@"

    """.write(toFile: script, atomically: true, encoding: .utf8)
    chmod(script, 0o755)
    return script
}
