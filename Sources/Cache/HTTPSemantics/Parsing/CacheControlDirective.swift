// Invariant of the pointers: the bytes of the numbers are lent for one call. The elements of a homogeneous tuple lie
// one stride apart, and `place` is below their number.

/// The effect of a directive's name: it sets a bit, or it is followed by a number.
///
/// The names are in `CacheControlTable`, which the script `generate-directives` beside this file makes from the
/// declarations in `CacheControl`.
struct CacheControlDirective: Equatable {
    /// The bits of `CacheControl.Directives` in the low half; above it the number of the directive, counted from 1.
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
    @inline(__always) static var maxAge: Self { Self(rawValue: UInt64(CacheControlNumbers.maxAge + 1) << 32) }

    /// The slot of a name, by its first eight bytes in lower case: a multiply-shift hash under which no two directives
    /// share a slot. Any other name has a slot too, and differs from the name there.
    @inline(__always)
    static func slot(of firstEight: UInt64) -> Int {
        Int(truncatingIfNeeded: (firstEight &* CacheControlTable.multiplier) >> CacheControlTable.shift) &* 4
    }

    /// Bytes 0 to 7 of the name in `slot`, zeros behind its end.
    @inline(__always) static func firstEight(_ slot: Int) -> UInt64 { CacheControlTable.words[slot] }
    /// Bytes 8 to 15.
    @inline(__always) static func secondEight(_ slot: Int) -> UInt64 { CacheControlTable.words[slot &+ 1] }
    /// Bytes 16 to 23.
    @inline(__always) static func thirdEight(_ slot: Int) -> UInt64 { CacheControlTable.words[slot &+ 2] }
    /// The effect of the name in `slot`.
    @inline(__always) static func action(_ slot: Int) -> Self { Self(rawValue: CacheControlTable.words[slot &+ 3]) }
}

extension CacheControlNumbers {
    /// Sets the number at `place`, unless an earlier directive has set it.
    @inline(__always)
    mutating func setFirst(_ place: Int, _ seconds: DeltaSeconds) {
        withUnsafeMutableBytes(of: &values) { bytes in
            let offset = place &* MemoryLayout<DeltaSeconds>.stride
            let present = bytes.load(fromByteOffset: offset, as: DeltaSeconds.self)
            bytes.storeBytes(of: present.isPresent ? present : seconds, toByteOffset: offset, as: DeltaSeconds.self)
        }
    }
}
