extension HTTPFields {
    /// The value of the first line of that name, for fields of which only one may be sent, without the whitespace that
    /// fields built by hand may have around it; `nil` if it is missing or empty.
    func firstValue(_ name: Name) -> String? {
        guard let line = fields.first(where: { $0.name == name })?.value else { return nil }
        let value = withTrimmedFieldBytes(of: line) { String(decoding: $0, as: UTF8.self) }
        return value.isEmpty ? nil : value
    }

    func contains(_ name: Name) -> Bool {
        fields.contains { $0.name == name }
    }
}
