// Invariant of the pointers: the demangling function has the type that the runtime's source declares, and its result is
// freed once.

import Platform

/// Translates functions' linked names into those of the source.
package enum Demangling {
    /// The longest name, characters; longer ones are cut, since a specialised generic may take pages.
    package static let longest = 120

    /// `static CacheControl.parse(_:)` for `$s13HTTPSemantics12CacheControlV5parse…`. A name of another language, or
    /// one that can't be demangled, is returned unchanged.
    package static func name(_ linked: String) -> String {
        var name = linked
        if linked.hasPrefix("$s") || linked.hasPrefix("_$s") { name = demangled(linked) ?? linked }
        return name.count <= longest ? name : "\(name.prefix(longest - 1))…"
    }

    /// `RTLD_DEFAULT`, a macro that Swift doesn't import: search all loaded libraries.
    private static var everything: UnsafeMutableRawPointer? {
        #if canImport(Darwin)
        UnsafeMutableRawPointer(bitPattern: -2)
        #else
        nil
        #endif
    }

    /// Calls the runtime's own function, looked up by name because no header declares it.
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
