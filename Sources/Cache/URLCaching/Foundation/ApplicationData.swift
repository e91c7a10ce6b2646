/// An entry's `userInfo` as bytes: a binary property list, which is what persists.
struct ApplicationData {
    /// The bytes; empty when there is no `userInfo`, or it is none that a property list can hold.
    let encoded: [UInt8]
    /// Whether the bytes say everything. When not, the entry has to stay in memory.
    let isPersistent: Bool
    /// What the entry is handed out with.
    let userInfo: [AnyHashable: Any]?

    /// Encodes a `userInfo`.
    init(_ userInfo: [AnyHashable: Any]?) {
        self.userInfo = userInfo
        guard let userInfo, !userInfo.isEmpty else {
            encoded = []
            isPersistent = true
            return
        }
        let list = userInfo as? [String: Any]
        let data = list.flatMap { list -> Data? in
            guard PropertyListSerialization.propertyList(list, isValidFor: .binary) else { return nil }
            return try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        }
        encoded = data.map { [UInt8]($0) } ?? []
        isPersistent = data != nil
    }

    /// Decodes bytes that came back from a tier; what is no property list gives no `userInfo`.
    init(decoding encoded: [UInt8]) {
        self.encoded = encoded
        isPersistent = true
        guard !encoded.isEmpty else {
            userInfo = nil
            return
        }
        let list = try? PropertyListSerialization.propertyList(from: Data(encoded), options: [], format: nil)
        userInfo = list as? [String: Any]
    }
}
