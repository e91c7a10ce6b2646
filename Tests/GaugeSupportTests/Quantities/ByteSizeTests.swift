import Testing

@testable import GaugeSupport

@Suite("Sizes in bytes") struct ByteSizeTests {
    @Test(
        "a size is a whole number and a unit of powers of 1024",
        arguments: [
            ("0", 0), ("17", 17), ("17B", 17), ("4KB", 4_096), ("4KiB", 4_096), ("4k", 4_096), ("3 MB", 3 << 20),
            ("3MiB", 3 << 20), ("2gib", 2 << 30), ("1TiB", 1 << 40), ("8388607TiB", 8_388_607 << 40),
        ] as [(String, Int)])
    func aSizeIsAWholeNumberAndAUnitOfPowersOf1024(text: String, bytes: Int) throws {
        #expect(try ByteSize(text).bytes == bytes)
    }

    @Test(
        "a text that is not a size is refused",
        arguments: [
            "", "MiB", "-1", "-4MiB", "4.5MiB", "4XB", "0x10", "٤KB", "8388608TiB", "99999999999999999999", "+4",
            "4 M B", "1e3",
        ])
    func aTextThatIsNotASizeIsRefused(text: String) {
        #expect(throws: UsageError.self) { try ByteSize(text) }
    }

    @Test(
        "a size is written so that it can be read back",
        arguments: [(0, "0 B"), (1_000, "1000 B"), (4_096, "4 KiB"), (4 << 20, "4 MiB"), ((4 << 20) + 1, "4194305 B")])
    func aSizeIsWrittenSoThatItCanBeReadBack(bytes: Int, text: String) throws {
        #expect(ByteSize(bytes: bytes).description == text)
        #expect(try ByteSize(text).bytes == bytes)
    }
}
