// Generated from CacheControl.swift by the script generate-directives. Do not edit.
// swift-format-ignore-file

/// The names of the directives, in slots of four words: the name's 24 bytes, and its `CacheControlDirective`.
enum CacheControlTable {
    static let multiplier: UInt64 = 0xF3B8_488C_368C_B0A7
    static let shift: UInt64 = 58

    static let words: [UInt64] = [
        0, 0, 0, 0,
        0x7665_722D_7473_756D, 0x0065_7461_6469_6C61, 0, 0x0000_0000_0000_0004,  // must-revalidate
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x646E_752D_7473_756D, 0x0064_6E61_7473_7265, 0, 0x0000_0000_0000_0080,  // must-understand
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x0065_7461_7669_7270, 0, 0, 0x0000_0000_0000_0020,  // private
        0, 0, 0, 0,
        0x0065_6761_2D78_616D, 0, 0, 0x0000_0001_0000_0000,  // max-age
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x7365_7266_2D6E_696D, 0x0000_0000_0000_0068, 0, 0x0000_0005_0000_0000,  // min-fresh
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x6568_6361_632D_6F6E, 0, 0, 0x0000_0000_0000_0002,  // no-cache
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x736E_6172_742D_6F6E, 0x0000_0000_6D72_6F66, 0, 0x0000_0000_0000_0100,  // no-transform
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x6C62_6174_756D_6D69, 0x0000_0000_0000_0065, 0, 0x0000_0000_0000_0040,  // immutable
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x0000_6369_6C62_7570, 0, 0, 0x0000_0000_0000_0010,  // public
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x6572_6F74_732D_6F6E, 0, 0, 0x0000_0000_0000_0001,  // no-store
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x6567_6178_616D_2D73, 0, 0, 0x0000_0002_0000_0000,  // s-maxage
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x2D66_692D_796C_6E6F, 0x0000_6465_6863_6163, 0, 0x0000_0000_0000_0200,  // only-if-cached
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x6877_2D65_6C61_7473, 0x6176_6572_2D65_6C69, 0x0000_6574_6164_696C, 0x0000_0003_0000_0000,  // stale-while-revalidate
        0, 0, 0, 0,
        0x6669_2D65_6C61_7473, 0x0000_726F_7272_652D, 0, 0x0000_0004_0000_0000,  // stale-if-error
        0, 0, 0, 0,
        0x6C61_7473_2D78_616D, 0x0000_0000_0000_0065, 0, 0x0000_0006_0000_0000,  // max-stale
        0, 0, 0, 0,
        0, 0, 0, 0,
        0x6572_2D79_786F_7270, 0x6574_6164_696C_6176, 0, 0x0000_0000_0000_0008,  // proxy-revalidate
        0, 0, 0, 0,
        0, 0, 0, 0,
        0, 0, 0, 0,
    ]
}

/// The directives with a number, each at the place that `CacheControlDirective.number` gives.
struct CacheControlNumbers {
    var values: (DeltaSeconds, DeltaSeconds, DeltaSeconds, DeltaSeconds, DeltaSeconds, DeltaSeconds)

    static let maxAge = 0
    static let sharedMaxAge = 1
    static let staleWhileRevalidate = 2
    static let staleIfError = 3
    static let minFresh = 4
    static let maxStale = 5

    @inline(__always)
    init(_ control: CacheControl) {
        values = (
            control.maxAge,
            control.sharedMaxAge,
            control.staleWhileRevalidate,
            control.staleIfError,
            control.minFresh,
            control.maxStale
        )
    }

    /// Copies the numbers to their properties.
    @inline(__always)
    func assign(to control: inout CacheControl) {
        control.maxAge = values.0
        control.sharedMaxAge = values.1
        control.staleWhileRevalidate = values.2
        control.staleIfError = values.3
        control.minFresh = values.4
        control.maxStale = values.5
    }
}

extension CacheControl {
    /// Every directive without a number, and whether it is set.
    package var flagsByName: [(name: String, isSet: Bool)] {
        [
            ("no-store", directives.contains(.noStore)),
            ("no-cache", directives.contains(.noCache)),
            ("must-revalidate", directives.contains(.mustRevalidate)),
            ("proxy-revalidate", directives.contains(.proxyRevalidate)),
            ("public", directives.contains(.public)),
            ("private", directives.contains(.private)),
            ("immutable", directives.contains(.immutable)),
            ("must-understand", directives.contains(.mustUnderstand)),
            ("no-transform", directives.contains(.noTransform)),
            ("only-if-cached", directives.contains(.onlyIfCached)),
            ("max-stale", directives.contains(.anyStale))
        ]
    }

    /// Every directive with a number.
    package var numbersByName: [(name: String, seconds: DeltaSeconds)] {
        [
            ("max-age", maxAge),
            ("s-maxage", sharedMaxAge),
            ("stale-while-revalidate", staleWhileRevalidate),
            ("stale-if-error", staleIfError),
            ("min-fresh", minFresh),
            ("max-stale", maxStale)
        ]
    }
}
