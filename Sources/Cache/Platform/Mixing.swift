/// FNV-1a in 64 bits (Fowler, Noll and Vo), for names and fingerprints. It does not withstand an adversary.
///
/// Like `splitMixed` it's public because the compiler inlines only public functions into other modules.
@inlinable
public func fnv1a(_ bytes: some Sequence<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    return hash
}

/// The finaliser of SplitMix64 (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014;
/// constants of Stafford's Mix13): a bijection of 64 bits in which every input bit reaches every output bit.
@inlinable
@inline(__always)
public func splitMixed(_ value: UInt64) -> UInt64 {
    var mixed = value
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
}

/// What SplitMix64 adds to its state for each number: the golden ratio in 64 bits.
@inlinable
public var splitMixStep: UInt64 { 0x9E37_79B9_7F4A_7C15 }
