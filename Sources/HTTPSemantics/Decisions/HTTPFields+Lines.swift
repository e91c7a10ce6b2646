extension HTTPFields {
    /// The first line of that name, for fields of which only one may be sent: of two `Expires` the first counts.
    func firstLine(_ name: Name) -> String? {
        fields.first { $0.name == name }?.value
    }

    func contains(_ name: Name) -> Bool {
        fields.contains { $0.name == name }
    }
}
