/// A gzip file (RFC 1952) of one stored block (RFC 1951, section 3.2.4): coded, and no shorter. At most 65,535 bytes.
public func gzip(_ bytes: [UInt8]) -> [UInt8] {
    let count = UInt16(bytes.count)
    var file: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255, 1]
    file += littleEndian(UInt32(count), 2) + littleEndian(UInt32(~count), 2) + bytes
    return file + littleEndian(crc32(bytes), 4) + littleEndian(UInt32(bytes.count), 4)
}

private func littleEndian(_ value: UInt32, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * UInt32($0))) }
}

private func crc32(_ bytes: [UInt8]) -> UInt32 {
    var sum = ~UInt32(0)
    for byte in bytes {
        sum ^= UInt32(byte)
        for _ in 0..<8 { sum = sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
    return ~sum
}
