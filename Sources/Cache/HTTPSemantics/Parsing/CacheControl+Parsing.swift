// Invariant of the pointers: the bytes of the numbers are lent for one call. The elements of a homogeneous tuple lie
// one stride apart, and `place` is below their number.

extension CacheControl {
    /// The directives of a request's or response's `Cache-Control` value. No allocation, linear time; 4 to 30 ns for
    /// what servers send.
    ///
    /// The grammar of RFC 9110, section 5.6.1 and RFC 9111, section 5.2. Where a value leaves it, the safe reading:
    ///
    /// - Commas separate elements; whitespace around them and empty ones are ignored. Names are compared without regard
    ///   to case.
    /// - An argument follows the name and `=` without whitespace, plain or quoted. In quotes, commas are text, and a
    ///   backslash stands for the byte behind it. A quote opens only right behind a name and its `=`; one anywhere
    ///   else, or one never closed, sets `Directives.malformed`. A name ends at the first `=` or whitespace, and one
    ///   of these also at `;`.
    /// - A number is decimal digits and nothing else, clamped to 2^31. Any other argument, none, or anything between
    ///   the argument and the comma makes that directive `DeltaSeconds.invalid`. The first of several counts, valid or
    ///   not.
    /// - `no-store`, `no-cache`, `private`, `must-revalidate`, `proxy-revalidate`, `no-transform` and `only-if-cached`
    ///   count whatever follows the name and `=`, whitespace or `;`; `public` and `must-understand` only if nothing
    ///   does, `immutable` also with an argument.
    /// - `;` separates nothing. Behind a known directive, outside quotes, it sets `Directives.malformed`, and of what
    ///   follows it only the first group counts: `no-cache; no-store` is not stored.
    /// - Both `max-stale` and `max-stale=5` may be present; then both are recorded, and the narrower counts.
    @inlinable
    public static func parse(_ bytes: RawSpan) -> CacheControl {
        if let maxAge = bareMaxAge(bytes) {
            var result = CacheControl()
            result.maxAge = maxAge
            return result
        }
        return readCacheControl(bytes)
    }

    /// The same for the text of a field value.
    package static func parse(_ text: String) -> CacheControl {
        withFieldBytes(of: text) { parse($0) }
    }

    /// The directives of the `Cache-Control` lines in `fields`, joined in order to one value.
    ///
    /// Field lists are ranges of that value, i.e. of `fields["Cache-Control"]`.
    package init(_ fields: HTTPFields) {
        self.init()
        var length = 0
        for field in fields.fields where field.name == "Cache-Control" {
            let endsInQuotes = withFieldBytes(of: field.value) { append($0, at: length) }
            guard !endsInQuotes else {
                // Only the text of all lines tells where the quote closes.
                self = fields["Cache-Control"].map { Self.parse($0) } ?? self
                return
            }
            length += field.value.utf8.count + 2
        }
    }

    /// Reads one more line, which begins at `origin` of the joined value.
    ///
    /// - Returns: whether the line ends inside quotes, so only the joined value can be read right.
    mutating func append(_ line: UnsafeRawBufferPointer, at origin: Int) -> Bool {
        WordReader.with(line) { text in
            var reader = CacheControlReader(text, origin: origin, after: self)
            reader.readElements()
            self = reader.result
            return reader.endsInQuotes
        }
    }

    @inline(__always)
    static func parse(_ bytes: UnsafeRawBufferPointer) -> CacheControl { parse(RawSpan(_unsafeBytes: bytes)) }

    /// The seconds of a value of 9 to 16 bytes that is `max-age=` and digits, the most common of all.
    @inlinable @inline(__always)
    static func bareMaxAge(_ bytes: RawSpan) -> DeltaSeconds? {
        let count = bytes.byteCount
        guard count > 8, count <= 16,
            loadEight(bytes, 0) | maxAgeCase == maxAgeEquals
        else { return nil }
        // The last eight bytes end with the digits; whatever is before them becomes zeros.
        let missing = UInt64(truncatingIfNeeded: 16 &- count) &* 8
        let digits = ((loadEight(bytes, count &- 8) ^ lanes(0x30)) &>> missing) &<< missing
        guard lanesAboveNine(digits) == 0 else { return nil }
        return DeltaSeconds(bits: UInt32(truncatingIfNeeded: decimal(digits)))
    }
}

/// Reads any value, element by element. Not a member: that would be called through a thunk that copies the result once
/// more.
@usableFromInline @inline(never)
func readCacheControl(_ bytes: RawSpan) -> CacheControl {
    // Lent for this call. A result that went through this closure would be copied once more.
    let bytes = bytes.withUnsafeBytes { $0 }
    return WordReader.with(bytes) { text in
        var reader = CacheControlReader(text)
        reader.readElements()
        return reader.result
    }
}

/// `max-age=` in lower case, the first byte lowest.
@inlinable var maxAgeEquals: UInt64 { 0x3D65_6761_2D78_616D }

/// The bits that hold the case of its letters. The dash and the `=` must match exactly.
@inlinable var maxAgeCase: UInt64 { 0x0020_2020_0020_2020 }

/// What a directive's name does: it sets a bit, or a number follows it.
///
/// The names are in `CacheControlTable`, which the script `generate-directives` beside this file generates from the
/// declarations in `CacheControl`.
struct CacheControlDirective: Equatable {
    /// The bits of `CacheControl.Directives` in the low half; above it the number of the directive, counted from 1.
    let rawValue: UInt64

    /// The bits to set; 0 for a directive with a number.
    @inline(__always) var flags: CacheControl.Directives {
        CacheControl.Directives(rawValue: UInt32(truncatingIfNeeded: rawValue))
    }

    @inline(__always) var number: Int? {
        let number = Int(truncatingIfNeeded: rawValue >> 32)
        return number == 0 ? nil : number &- 1
    }

    @inline(__always) static var unknown: Self { Self(rawValue: 0) }

    @inline(__always) static var maxAge: Self { Self(rawValue: UInt64(CacheControlNumbers.maxAge + 1) << 32) }

    /// The slot of a name, by its first eight bytes in lower case: a multiply-shift hash that gives each directive its
    /// own slot. Any other name also lands in a slot, but differs from the name there.
    @inline(__always)
    static func slot(of firstEight: UInt64) -> Int {
        Int(truncatingIfNeeded: (firstEight &* CacheControlTable.multiplier) >> CacheControlTable.shift) &* 4
    }

    /// Bytes 0 to 7 of the name in `slot`, zeros behind its end. The next two have bytes 8 to 23.
    @inline(__always) static func firstEight(_ slot: Int) -> UInt64 { CacheControlTable.words[slot] }
    @inline(__always) static func secondEight(_ slot: Int) -> UInt64 { CacheControlTable.words[slot &+ 1] }
    @inline(__always) static func thirdEight(_ slot: Int) -> UInt64 { CacheControlTable.words[slot &+ 2] }
    @inline(__always) static func action(_ slot: Int) -> Self { Self(rawValue: CacheControlTable.words[slot &+ 3]) }
}

extension CacheControlNumbers {
    /// Sets the number at `place`, unless an earlier directive has.
    @inline(__always)
    mutating func setFirst(_ place: Int, _ seconds: DeltaSeconds) {
        withUnsafeMutableBytes(of: &values) { bytes in
            let offset = place &* MemoryLayout<DeltaSeconds>.stride
            let present = bytes.load(fromByteOffset: offset, as: DeltaSeconds.self)
            bytes.storeBytes(of: present.isPresent ? present : seconds, toByteOffset: offset, as: DeltaSeconds.self)
        }
    }
}

/// The `Pragma` field, which a cache reads in a request without `Cache-Control` (RFC 9111, section 5.4).
package enum Pragma {
    /// Whether one of the directives is `no-cache`. The grammar is that of `Cache-Control`.
    package static func isNoCache(_ bytes: RawSpan) -> Bool {
        CacheControl.parse(bytes).directives.contains(.noCache)
    }

    /// Whether a `Pragma` line in `fields` says `no-cache`.
    package static func isNoCache(_ fields: HTTPFields) -> Bool {
        fields.fields.contains { $0.name == "Pragma" && CacheControl.parse($0.value).directives.contains(.noCache) }
    }
}
