import HTTPSemantics

/// All that goes out to the origin for a request without a body. Two requests with equal keys are the same to the origin.
///
/// Bytes, since strings that differ in bytes may be equal as texts.
struct OutgoingKey: Hashable, Sendable {
    private let bytes: [UInt8]

    init(_ request: HTTPRequest) {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(
            request.headerFields.fields.reduce(request.url.utf8.count + 32) {
                $0 + $1.name.rawName.utf8.count + $1.value.utf8.count + 16
            })
        Self.append(request.method, to: &bytes)
        Self.append(request.url, to: &bytes)
        for field in request.headerFields.fields {
            Self.append(field.name.rawName, to: &bytes)
            Self.append(field.value, to: &bytes)
        }
        self.bytes = bytes
    }

    /// The length first, so that no text can be taken for two.
    private static func append(_ text: String, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: text.utf8.count.littleEndian) { bytes.append(contentsOf: $0) }
        bytes.append(contentsOf: text.utf8)
    }
}
