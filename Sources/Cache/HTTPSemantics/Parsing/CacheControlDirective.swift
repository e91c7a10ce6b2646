/// What a directive's name asks for: to set a bit, or to read a number.
struct CacheControlDirective: Equatable {
    /// The bits of `CacheControl.Directives` in the low half; above it the number that the directive carries, from 1.
    let rawValue: UInt64

    /// The bits to set, 0 for a directive with a number.
    @inline(__always) var flags: CacheControl.Directives {
        CacheControl.Directives(rawValue: UInt32(truncatingIfNeeded: rawValue))
    }

    /// The directive's place in `CacheControlNumbers`.
    @inline(__always) var number: Int? {
        let number = Int(truncatingIfNeeded: rawValue >> 32)
        return number == 0 ? nil : number &- 1
    }

    /// A name that is not in the table.
    @inline(__always) static var unknown: Self { Self(rawValue: 0) }

    /// `max-age`.
    @inline(__always) static var maxAge: Self { Self(rawValue: 1 << 32) }

    /// Those that widen what a cache may do: they count only when nothing follows the name.
    @inline(__always) static var permissive: CacheControl.Directives { [.public, .immutable, .mustUnderstand] }

    /// A place for each of the sixteen names, by its first eight bytes in lower case: a multiply-shift hash without a
    /// collision among them. Every other name lands somewhere too, and differs from what is there.
    @inline(__always)
    static func slot(of firstEight: UInt64) -> Int {
        Int(truncatingIfNeeded: (firstEight &* 0xD01F_E381_3AA4_EF39) >> 60) &* 4
    }

    /// Bytes 0 to 7 of the name in `slot`, zeros behind it.
    @inline(__always) static func firstEight(_ slot: Int) -> UInt64 { table[slot] }
    /// Bytes 8 to 15.
    @inline(__always) static func secondEight(_ slot: Int) -> UInt64 { table[slot &+ 1] }
    /// Bytes 16 to 23.
    @inline(__always) static func thirdEight(_ slot: Int) -> UInt64 { table[slot &+ 2] }
    /// What the name in `slot` asks for.
    @inline(__always) static func action(_ slot: Int) -> Self { Self(rawValue: table[slot &+ 3]) }

    private static let table: [UInt64] = [
        0x0065_6761_2D78_616D, 0, 0, 1 << 32,  // max-age
        0x0000_6369_6C62_7570, 0, 0, 1 << 4,  // public
        0x6877_2D65_6C61_7473, 0x6176_6572_2D65_6C69, 0x0000_6574_6164_696C, 3 << 32,  // stale-while-revalidate
        0x6572_2D79_786F_7270, 0x6574_6164_696C_6176, 0, 1 << 3,  // proxy-revalidate
        0x2D66_692D_796C_6E6F, 0x0000_6465_6863_6163, 0, 1 << 9,  // only-if-cached
        0x7665_722D_7473_756D, 0x0065_7461_6469_6C61, 0, 1 << 2,  // must-revalidate
        0x6572_6F74_732D_6F6E, 0, 0, 1 << 0,  // no-store
        0x0065_7461_7669_7270, 0, 0, 1 << 5,  // private
        0x6C62_6174_756D_6D69, 0x65, 0, 1 << 6,  // immutable
        0x6669_2D65_6C61_7473, 0x0000_726F_7272_652D, 0, 4 << 32,  // stale-if-error
        0x6567_6178_616D_2D73, 0, 0, 2 << 32,  // s-maxage
        0x646E_752D_7473_756D, 0x0064_6E61_7473_7265, 0, 1 << 7,  // must-understand
        0x736E_6172_742D_6F6E, 0x6D72_6F66, 0, 1 << 8,  // no-transform
        0x6C61_7473_2D78_616D, 0x65, 0, 6 << 32,  // max-stale
        0x6568_6361_632D_6F6E, 0, 0, 1 << 1,  // no-cache
        0x7365_7266_2D6E_696D, 0x68, 0, 5 << 32,  // min-fresh
    ]
}

/// The directives with a number, each at the place that `CacheControlDirective.number` gives.
struct CacheControlNumbers {
    private var values: (DeltaSeconds, DeltaSeconds, DeltaSeconds, DeltaSeconds, DeltaSeconds, DeltaSeconds)

    /// The place of `max-stale`, the one that may stand without a number.
    static let maxStale = 5

    @inline(__always)
    init(_ control: CacheControl) {
        values = (
            control.maxAge, control.sharedMaxAge, control.staleWhileRevalidate, control.staleIfError, control.minFresh,
            control.maxStale
        )
    }

    /// Gives the number at `place` a value unless it has one already, since the first counts.
    @inline(__always)
    mutating func setFirst(_ place: Int, _ seconds: DeltaSeconds) {
        withUnsafeMutableBytes(of: &values) { bytes in
            let offset = place &* MemoryLayout<DeltaSeconds>.stride
            let present = bytes.load(fromByteOffset: offset, as: DeltaSeconds.self)
            bytes.storeBytes(of: present.isPresent ? present : seconds, toByteOffset: offset, as: DeltaSeconds.self)
        }
    }

    /// Copies the numbers to where they belong.
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
