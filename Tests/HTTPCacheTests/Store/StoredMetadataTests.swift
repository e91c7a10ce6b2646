import HTTPSemantics
import Testing

@testable import HTTPCache

@Suite struct StoredMetadataTests {
    let whole = bytes(
        facts: StoredFacts(ResponseValues(HTTPResponse(), responseTime: 6), requestTime: 5, responseTime: 6),
        fields: ["A": "1", "Bee": "two", "C": "", "": ""], applicationData: [9, 8, 7])

    @Test("what was encoded is read back") func roundTrip() throws {
        try whole.withUnsafeBytes { bytes in
            let head = try #require(StoredMetadata.head(bytes))
            #expect(head.kind == .response)
            #expect(
                head.facts
                    == StoredFacts(ResponseValues(HTTPResponse(), responseTime: 6), requestTime: 5, responseTime: 6))
            #expect(StoredMetadata.fields(bytes) == ["A": "1", "Bee": "two", "C": "", "": ""])
            #expect(StoredMetadata.applicationData(bytes) == [9, 8, 7])
        }
    }

    @Test("bytes cut short anywhere, or with one more, are no metadata") func truncation() {
        for count in 0..<whole.count {
            whole.withUnsafeBytes { bytes in
                let cut = UnsafeRawBufferPointer(rebasing: bytes[..<count])
                #expect(StoredMetadata.head(cut) == nil, "\(count) bytes")
                #expect(StoredMetadata.fields(cut) == HTTPFields())
            }
        }
        (whole + [0]).withUnsafeBytes { #expect(StoredMetadata.head($0) == nil) }
    }

    @Test("a field that reaches into the application's data is left out") func overlappingField() {
        var bytes = bytes(
            facts: StoredFacts(ResponseValues(HTTPResponse(), responseTime: 6), requestTime: 5, responseTime: 6),
            fields: ["A": "1"], applicationData: [UInt8](repeating: 0x41, count: 20))
        bytes.withUnsafeBytes { #expect(StoredMetadata.fields($0) == ["A": "1"]) }
        // The number of bytes of the value.
        bytes[64] += 1
        bytes.withUnsafeBytes { #expect(StoredMetadata.fields($0) == HTTPFields()) }
    }

    @Test("no single changed byte traps, or makes more of the bytes than there are") func changedBytes() {
        for offset in whole.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = whole
                changed[offset] = value
                changed.withUnsafeBytes { bytes in
                    _ = StoredMetadata.head(bytes)
                    let fields = StoredMetadata.fields(bytes).fields
                    let text = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.value.utf8.count }
                    // A byte that is no UTF-8 reads as three.
                    #expect(text <= 3 * whole.count, "byte \(offset) set to \(value)")
                    #expect(StoredMetadata.applicationData(bytes).count <= whole.count)
                }
            }
        }
    }
}

private func bytes(facts: StoredFacts, fields: HTTPFields, applicationData: [UInt8]) -> [UInt8] {
    let content = StoredMetadata.Content(facts: facts, fields: fields, applicationData: applicationData)
    return [UInt8](unsafeUninitializedCapacity: content.byteCount) { buffer, count in
        content.write(to: UnsafeMutableRawBufferPointer(buffer))
        count = content.byteCount
    }
}
