import HTTPSemantics
import Testing

/// Fields are read in two ways: from `HTTPFields`, and while they are written into an entry.
@Suite("Written field lines") struct FieldLineWriterTests {
    @Test("of any fields the same values are read, unless not all may be stored as they are") func sameValues() {
        var fragments = HostileInputTests.Fragments(state: 0x11E5)
        var (storable, other) = (0, 0)
        for round in 0..<4_000 {
            let fields = fragments.fields()
            let (lines, values) = written(fields)
            #expect(lines == encoded(fields), "\(round)")
            guard let values else {
                other += 1
                let controls = fields.fields.filter { $0.name == "Cache-Control" }
                #expect(StoredFields.storable(fields) != fields || controls.count > 1, "\(round): \(fields)")
                continue
            }
            storable += 1
            #expect(values == ResponseFieldValues(fields, now: receipt), "\(round): \(fields)")
            #expect(StoredFields.storable(fields) == fields, "\(round): \(fields)")
        }
        #expect(storable > 1_000 && other > 500)
    }

    @Test(
        "a name is known in any case, and only if it is the whole",
        arguments: [
            ("ETag", true), ("etag", true), ("ETAG", true), ("ETag ", false), ("ETa", false), ("ETag\u{0}", false),
            ("ETagx", false), ("", false), ("X-Other", false),
        ])
    func names(name: String, isKnown: Bool) {
        let values = written([HTTPFields.Name(name): "\"1\""]).values
        #expect(values?.hasEntityTag == isKnown)
        #expect(ResponseFieldValues([HTTPFields.Name(name): "\"1\""], now: receipt).hasEntityTag == isKnown)
    }

    @Test("a carriage return is no dash, and a longer name no known one")
    func dashes() {
        for name in ["Last\rModified", "Last-Modifie", "Last-Modified-", "Last-Modified-At-Noon"] {
            let fields = [HTTPFields.Name(name): "Sun, 06 Nov 1994 08:49:37 GMT"] as HTTPFields
            #expect(written(fields).values?.lastModified == .absent, "\(name)")
            #expect(ResponseFieldValues(fields, now: receipt).lastModified == .absent, "\(name)")
        }
    }

    private func written(_ fields: HTTPFields) -> (lines: [UInt8], values: ResponseFieldValues?) {
        let room = fields.fields.reduce(FieldLineWriter.slack) {
            $0 + FieldLineWriter.byteCount($1.name.rawName, $1.value)
        }
        return withUnsafeTemporaryAllocation(byteCount: room, alignment: 1) { bytes in
            guard var writer = FieldLineWriter(bytes, now: receipt) else { return ([], nil) }
            for field in fields.fields { writer.append(field.name.rawName, field.value) }
            #expect(writer.count == room - FieldLineWriter.slack)
            return (Array(bytes[..<writer.count]), writer.storableValues)
        }
    }

    private func encoded(_ fields: HTTPFields) -> [UInt8] {
        var bytes: [UInt8] = []
        for field in fields.fields {
            for text in [field.name.rawName, field.value] {
                withUnsafeBytes(of: UInt32(text.utf8.count).littleEndian) { bytes += $0 }
            }
            bytes += Array(field.name.rawName.utf8)
            bytes += Array(field.value.utf8)
        }
        return bytes
    }
}
