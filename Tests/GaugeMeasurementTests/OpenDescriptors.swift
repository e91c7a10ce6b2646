import Foundation
import TestSupport

extension ScratchDirectory {
    /// How many of this process's descriptors lead into it.
    var openDescriptors: Int {
        let folder = "/proc/self/fd"
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).count { name in
            let file = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
            return file?.hasPrefix(path + "/") == true
        }
    }
}
