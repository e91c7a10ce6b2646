import Testing

@testable import CacheTiers

@Suite("Room of an entry") struct EntryRoomTests {
    @Test("an entry asks for what it needs and at most a sixteenth more, up to 8 KiB for no more") func bounds() {
        for count in 0...8_192 { #expect(EntryStorage.room(for: count) == count) }
        for count in stride(from: 8_193, through: 2 << 20, by: 61) {
            let room = EntryStorage.room(for: count)
            #expect(room >= count && (room - count) * 16 <= count, "\(count) bytes, room for \(room)")
        }
        let longest = 3 * Int(Int32.max)
        #expect(EntryStorage.room(for: longest) >= longest)
    }

    @Test("entries of any size from 8 KiB to 256 KiB ask for no more than 90 different sizes") func fewSizes() {
        let rooms = Set((8_193...(256 << 10)).map(EntryStorage.room(for:)))
        #expect(rooms.count <= 90)
    }
}
