/// An entry's `userInfo` as the bytes that persist; see `UserInfoFormat`.
struct ApplicationData {
    /// The bytes; empty if there is no `userInfo`, or the format cannot hold it.
    let encoded: [UInt8]
    /// Whether the bytes say everything. If not, the entry has to stay in memory.
    let isPersistent: Bool
    /// The `userInfo` of the entry that is handed out.
    let userInfo: [AnyHashable: Any]?

    /// Encodes a `userInfo`.
    init(_ userInfo: [AnyHashable: Any]?) {
        self.userInfo = userInfo
        guard let userInfo, !userInfo.isEmpty else {
            encoded = []
            isPersistent = true
            return
        }
        let bytes = UserInfoEncoder.encode(userInfo)
        encoded = bytes ?? []
        isPersistent = bytes != nil
    }

    /// Decodes bytes that came back from a tier; damaged ones give no `userInfo`.
    init(decoding encoded: [UInt8]) {
        self.encoded = encoded
        isPersistent = true
        userInfo = encoded.isEmpty ? nil : UserInfoDecoder.decode(encoded)
    }
}
