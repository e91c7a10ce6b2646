import CacheTiers
import HTTPSemantics

/// Field values, blocks of fields and URLs.
enum SemanticsInputs {
    static let all: [HostileInput] =
        fields("Cache-Control") { _ = CacheControl.parse($0) }
        + fields("a date") { _ = HTTPDate.parse($0, now: 0) }
        + fields("Range") { _ = ByteRange.parse($0) }
        + fields("Content-Range") { _ = ContentRange.parse($0) }
        + fields("entity tags") { _ = EntityTagList.matches($0, entityTag: "\"none\"") }
        + fields("Vary") { value in
            let selection = VarySelection(value)
            _ = selection.variantKey(of: HTTPFields([HTTPFields.Field(name: "a", value: value)]))
        }
        + fields("Accept-Language") { value in
            let request = HTTPFields([HTTPFields.Field(name: "Accept-Language", value: value)])
            _ = VarySelection("accept-language").variantKey(of: request)
        }
        + fields("Connection") { value in
            _ = StoredFields.storable(HTTPFields([HTTPFields.Field(name: "Connection", value: value)]))
        }
        + fields("all fields of a response") { value in
            let names = ["Cache-Control", "Pragma", "Age", "Date", "Expires", "Vary", "ETag", "Last-Modified", "Link"]
            let fields = HTTPFields(names.map { HTTPFields.Field(name: HTTPFields.Name($0), value: value) })
            let response = HTTPResponse(status: 200, headerFields: fields)
            _ = StoredFacts(response, requestTime: 0, responseTime: 0)
            _ = Invalidation.targets(HTTPRequest(method: "POST", url: "http://a.example/"), response)
            _ = RequestFacts(HTTPRequest(url: "http://a.example/", headerFields: fields))
        }
        + lines + urls + [
            HostileInput("the stored parts of a body", "single bytes", 4_000) { count in
                var words = [UInt64(2 * count), UInt64(count)]
                for part in 0..<count { words += [UInt64(2 * part), 1] }
                let bytes = words.flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (8 * $0)) } }
                let stored = bytes + [UInt8](repeating: 1, count: count)
                return { stored.withUnsafeBytes { _ = RepresentationParts(decoding: $0) } }
            }
        ]

    private static func fields(_ field: String, _ read: @escaping @Sendable (String) -> Void) -> [HostileInput] {
        Repeated.lists.map { list in
            HostileInput(field, list.name) { count in
                let text = list.text(count)
                return { read(text) }
            }
        }
    }

    private static let lines: [HostileInput] = [
        block("equal names") { _ in "a: b\r\n" },
        block("equal names that count") { _ in "Cache-Control: max-age=1\r\n" },
        block("different names") { "a\($0): b\r\n" },
        block("empty values") { _ in "a:\r\n" },
    ]

    private static func block(_ name: String, _ line: @escaping @Sendable (Int) -> String) -> HostileInput {
        HostileInput("a block of fields", name, 2_000) { count in
            let text = Array(((0..<count).map(line).joined() + "\r\n").utf8)
            let limits = FieldBlockLimits(bytes: 1 << 20, lineBytes: 1 << 14, lines: .max)
            return {
                guard let block = try? FieldBlock(parsing: text.span.bytes, now: 0, limits: limits) else { return }
                var fields = block.fields(in: text.span.bytes)
                _ = block.value(of: "a", in: text.span.bytes)
                _ = CacheControl(fields)
                _ = StoredFields.storable(fields)
                fields["a"] = "c"
                fields["Cache-Control"] = nil
            }
        }
    }

    private static let urls: [HostileInput] = [
        url("segments") { String(repeating: "/", count: $0) }, url("dots") { String(repeating: "/..", count: $0) },
        url("percents") { String(repeating: "%41", count: $0) }, url("queries") { String(repeating: "?a&", count: $0) },
        url("labels") { ".a" + String(repeating: ".A", count: $0) },
        url("user names") { String(repeating: "@", count: $0) },
        url("zeros") { ":" + String(repeating: "0", count: $0) },
        url("fragments") { String(repeating: "#", count: $0) },
    ]

    private static func url(_ name: String, _ rest: @escaping @Sendable (Int) -> String) -> HostileInput {
        HostileInput("a URL", name, 5_000) { count in
            let text = Array(("HTTP://a.example" + rest(count)).utf8)
            return {
                text.withUnsafeBytes { text in
                    _ = try? CanonicalURL.withBytes(of: text) { $0.count }
                }
            }
        }
    }
}
