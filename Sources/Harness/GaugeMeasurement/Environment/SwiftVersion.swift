/// The compiler that this module was built with.
package enum SwiftVersion {
    /// `6.3.1`, or the newest known version with a plus sign.
    package static let compiler: String = {
        // Swift has no expression for the compiler's version, so each one is tested.
        #if compiler(>=6.4)
        return "6.4+"
        #elseif compiler(>=6.3.4)
        return "6.3.4+"
        #elseif compiler(>=6.3.3)
        return "6.3.3"
        #elseif compiler(>=6.3.2)
        return "6.3.2"
        #elseif compiler(>=6.3.1)
        return "6.3.1"
        #elseif compiler(>=6.3)
        return "6.3"
        #elseif compiler(>=6.2.1)
        return "6.2.1+"
        #else
        return "6.2"
        #endif
    }()
}
