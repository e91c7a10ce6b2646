import TestSupport
import Testing

@testable import CacheTiers

@Suite("Index of the disk tier") struct DiskIndexTests {
    @Test(
        "It agrees with a dictionary while keys come, go and are replaced", arguments: [1 << 20, 64 << 20, 8 << 30],
        [false, true])
    func model(capacity: Int, hasNotes: Bool) {
        var index = DiskIndex(forCapacity: capacity, hasNotes: hasNotes)
        var uses: [Fingerprint: UInt32] = [:]
        var model: [Fingerprint: (place: UInt32, length: Int)] = [:]
        var state: UInt64 = 3
        for step in 1...60_000 {
            state = scrambled(state)
            // Grows to some thousands of keys, and falls to a few in the second half.
            let key = Fingerprint(scrambled(state >> 32 % 9_000))
            let isRemoval = state % 8 < (step > 30_000 ? 7 : 2)
            if isRemoval {
                let slot = index.find(key)
                let isFound = slot != nil
                #expect(isFound == (model[key] != nil))
                if let slot { index.remove(slot) }
                model[key] = nil
                uses[key] = nil
            } else {
                let length = Int(state % 1000) * 8
                let replaced = index.put(key, place: UInt32(step), length: length)
                #expect(replaced == model[key]?.length ?? 0)
                model[key] = (UInt32(step), length)
                if let slot = index.find(key), let note = index.note(of: slot) {
                    note.pointee.uses += 1
                    uses[key, default: 0] += 1
                }
            }
        }
        let count = index.count
        #expect(count == model.count)
        for (key, value) in model {
            let found = index.find(key)?.pointee
            #expect(found?.place == value.place && found?.length == value.length)
            let note = index.find(key).flatMap { index.note(of: $0)?.pointee.uses }
            #expect(note == uses[key])
            let byPrefix = index.find(prefix: key.prefix, in: value.place..<value.place + 1)?.pointee
            #expect(byPrefix?.fingerprint == key)
            let elsewhere = index.find(prefix: key.prefix, in: 0..<value.place)?.pointee
            #expect(elsewhere == nil)
        }
        var last: UInt64 = 0
        var seen = 0
        index.forEach {
            #expect($0.pointee.fingerprint.bits >= last)
            last = $0.pointee.fingerprint.bits
            seen += 1
        }
        #expect(seen == model.count)
        index.removeAll()
        let left = index.count + model.keys.count { index.find($0) != nil }
        #expect(left == 0)
    }

    @Test("Keys whose fingerprints lie side by side are all found, and none of their neighbours") func cluster() {
        var index = DiskIndex(forCapacity: 1 << 20)
        // The highest of all fingerprints, whose homes are at the end of the array.
        let keys = (0..<500).map { Fingerprint(bits: 1 << 44 - 1 - UInt64($0) * 2) }
        for (number, key) in keys.enumerated() { _ = index.put(key, place: UInt32(number + 1), length: 64) }
        for (number, key) in keys.enumerated() {
            let (place, neighbour) = (
                index.find(key)?.pointee.place, index.find(Fingerprint(bits: key.bits - 1))?.pointee
            )
            #expect(place == UInt32(number + 1) && neighbour == nil)
        }
        for key in keys.shuffled() {
            if let slot = index.find(key) { index.remove(slot) }
        }
        let left = index.count
        #expect(left == 0)
    }

    @Test("Every fingerprint is that of the hash that is made for it") func anyHash() {
        for number in 0..<1_000 {
            let fingerprint = Fingerprint(scrambled(UInt64(number)))
            #expect(Fingerprint(fingerprint.anyHash) == fingerprint)
        }
    }

    @Test("A length is rounded up by less than eight bytes, and above 256 KiB by at most 1/16,384") func lengths() {
        var state: UInt64 = 1
        for number in 0..<100_000 {
            state = scrambled(state)
            let length = number < 2_000 ? number : Int(state % UInt64(1 << (11 + number % 20)))
            let rounded = RecordLength.rounded(length)
            #expect(rounded >= length)
            #expect(rounded - length < max(8, length < 1 << 18 ? 0 : length / 16_384 + 8))
            #expect(RecordLength.rounded(rounded) == rounded)
            #expect(RecordLength(rounding: length).code < 1 << 19)
        }
        #expect(RecordLength(rounding: RecordHeader.mostRecordBytes).code < 1 << 19)
    }

    @Test("At 125,000 keys and more, each night a million, it takes at most 15 bytes a key, whatever their number")
    func memory() {
        var index = DiskIndex(forCapacity: 8 << 30)
        let presence = index.presence.byteCount
        let count = nightly(1_000_000, else: 125_000)
        for number in 0..<count * 3 / 2 {
            _ = index.put(Fingerprint(scrambled(UInt64(number))), place: 1, length: 64)
            guard number >= count, number % (count / 20) == 0 else { continue }
            let each = Double(index.byteCount - presence) / Double(index.count)
            #expect(each <= 15)
        }
    }
}

@Suite("Places of the log") struct LogGeometryTests {
    @Test("Every place up to 1 TiB has a number of 32 bits, and segments begin at places", arguments: 14...40)
    func places(capacityBits: Int) throws {
        for capacity in [1 << capacityBits, 3 << (capacityBits - 1), (1 << capacityBits) - 4096]
        where capacity >= 16 << 10 {
            let geometry = try #require(LogGeometry(capacity: capacity))
            #expect(geometry.dataEnd <= min(capacity, 1 << 40))
            #expect(geometry.dataEnd > min(capacity, 1 << 40) * 3 / 5)
            #expect((geometry.dataEnd - 1) >> geometry.grainBits < 1 << 32)
            #expect(geometry.grainBits == 3 || capacity > 32 << 30)
            for segment in [0, 1, geometry.segmentCount - 1] {
                let start = geometry.start(ofSegment: segment)
                #expect(geometry.offset(of: geometry.place(of: start)) == start)
                #expect(geometry.padded(start) == start)
            }
            let copy = LogGeometry(
                segmentBytes: UInt64(geometry.segmentBytes), segmentCount: UInt32(geometry.segmentCount),
                tableSlots: UInt32(geometry.tableSlots))
            #expect(copy == geometry)
        }
    }

    @Test("The last place has a number where segments have the greatest size for their grain", arguments: 35...39)
    func lastPlace(sizeBits: Int) throws {
        let size = 1 << sizeBits
        // 64 such segments, the table, and the file system's own map.
        let page = (size + size / 2047 + (32 << 10)) / 4096
        var greatest = 0
        for capacity in (page - 64..<page + 64).map({ $0 * 4096 }) {
            let geometry = try #require(LogGeometry(capacity: capacity))
            #expect(geometry.places(ofSegment: geometry.segmentCount - 1).count > 0)
            #expect((geometry.dataEnd - 1) >> geometry.grainBits < 1 << 32)
            #expect(
                LogGeometry(
                    segmentBytes: UInt64(geometry.segmentBytes), segmentCount: UInt32(geometry.segmentCount),
                    tableSlots: UInt32(geometry.tableSlots)) == geometry)
            greatest = max(greatest, geometry.grainBits)
        }
        #expect(greatest == sizeBits - 31, "the capacities have segments on both sides of the size")
    }
}
