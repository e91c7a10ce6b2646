import Platform

/// Names of functions as they stand in the source.
enum Demangling {
    /// Longer names are cut: a specialised generic may take pages.
    static let longest = 120

    /// `static CacheControl.parse(_:)` of `$s13HTTPSemantics12CacheControlV5parse…`; a name of another language, or one that
    /// cannot be read, stays as it is.
    static func name(_ linked: String) -> String {
        var name = linked
        if linked.hasPrefix("$s") || linked.hasPrefix("_$s") { name = demangled(linked) ?? linked }
        return name.count <= longest ? name : "\(name.prefix(longest - 1))…"
    }

    /// `RTLD_DEFAULT`, a macro that is not imported: look in all that is loaded.
    private static var everything: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        UnsafeMutableRawPointer(bitPattern: -2)
        #else
        nil
        #endif
    }

    /// What the runtime's own function makes of it. Looked up by name, since nothing declares it.
    private static func demangled(_ linked: String) -> String? {
        typealias Function =
            @convention(c) (
                UnsafePointer<CChar>?, Int, UnsafeMutablePointer<CChar>?, UnsafeMutablePointer<Int>?, UInt32
            ) -> UnsafeMutablePointer<CChar>?
        guard let symbol = dlsym(everything, "swift_demangle") else { return nil }
        let function = unsafeBitCast(symbol, to: Function.self)
        guard let text = linked.withCString({ function($0, strlen($0), nil, nil, 0) }) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }
}
