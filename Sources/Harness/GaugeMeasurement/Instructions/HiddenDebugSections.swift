import Foundation

/// Copies an executable with its debug sections renamed, so that no tool reads them.
///
/// Valgrind up to 3.20 fails with "I can't recover" on the DWARF 5 that current compilers write, and it reads every
/// section named `.debug_`. The symbols, which name the functions, stay. Only the names in the table of section names
/// change: ELF-64 little-endian, System V ABI, chapter 4.
package enum HiddenDebugSections {
    /// The bytes of `executable` with the sections renamed; unchanged when it is not an ELF-64 file.
    package static func hidden(_ executable: Data) -> Data {
        var bytes = executable
        func number(_ offset: UInt64, _ size: Int) -> UInt64? {
            guard offset <= UInt64(bytes.count), UInt64(bytes.count) - offset >= UInt64(size) else { return nil }
            return (0..<size).reduce(0) { $0 | UInt64(bytes[Int(offset) + $1]) << (8 * UInt64($1)) }
        }
        guard bytes.count >= 64, bytes.starts(with: [0x7F, 0x45, 0x4C, 0x46, 2, 1]),
            let table = number(40, 8), let size = number(58, 2), let count = number(60, 2), let names = number(62, 2),
            table <= UInt64(bytes.count), let start = number(table + names * size + 24, 8),
            start <= UInt64(bytes.count)
        else { return executable }
        let prefix = Array(".debug_".utf8)
        for section in 0..<count {
            guard let offset = number(table + section * size, 4) else { return executable }
            let name = start + offset
            guard name + UInt64(prefix.count) <= UInt64(bytes.count) else { continue }
            let range = Int(name)..<Int(name) + prefix.count
            if bytes[range].elementsEqual(prefix) { bytes[Int(name) + 1] = UInt8(ascii: "x") }
        }
        return bytes
    }
}
