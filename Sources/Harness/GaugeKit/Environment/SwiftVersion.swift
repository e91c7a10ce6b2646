/// The compiler that this module was built with.
enum SwiftVersion {
    /// `6.3.1`, or the last one known here and a plus sign.
    static let compiler: String = {
        // There is no other way to ask for it: the language knows no string of its version.
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
