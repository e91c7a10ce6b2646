import HTTPAgreement
import HTTPSemantics

extension FuzzTarget {
    /// The input is an `If-None-Match` field, a line feed, and an `ETag` field.
    ///
    /// Oracle: the reference reads and compares both the same. Empty members change nothing. Tags read, written and
    /// read again stay the same. Both comparisons are symmetric, and the strong one implies the weak one. A 304 or an
    /// answer to HEAD with the tag confirms a stored response with the list as its `ETag` if the two are equal; for a
    /// 304 with a weak tag, a weak match is enough. Reading is linear in the length.
    static let entityTag = FuzzTarget("etag") { buffer in
        let parts = buffer.split(separator: 0x0A, maxSplits: 1, omittingEmptySubsequences: false).map { [UInt8]($0) }
        let list = parts[0]
        let tag = parts.count > 1 ? parts[1] : list
        require(.entityTag(list))
        require(.entityTag(tag))
        require(.entityTagList(list))
        require(.entityTags(list, name: tag))

        let (tags, isWhole) = requireLinear(list.count, rate: 40, "If-None-Match") { members(of: list) }
        require(
            members(of: [0x2C, 0x20, 0x2C] + list).tags == tags, "\(list.quoted) depends on empty members in front")
        if isWhole { require(members(of: list + [0x09, 0x2C]).tags == tags, "\(list.quoted) depends on one behind") }
        let text = Array(tags.joined(separator: Array(", ".utf8)))
        require(members(of: text) == (tags, true), "\(list.quoted) is read back from \(text.quoted) as something else")

        let (left, right) = (String(decoding: list, as: UTF8.self), String(decoding: tag, as: UTF8.self))
        let isWeakMatch = EntityTag.matchesWeakly(left, right)
        let isStrongMatch = EntityTag.matchesStrongly(left, right)
        require(isWeakMatch == EntityTag.matchesWeakly(right, left), "\(left), \(right): weak comparison has sides")
        require(
            isStrongMatch == EntityTag.matchesStrongly(right, left), "\(left), \(right): strong comparison has sides")
        require(isWeakMatch || !isStrongMatch, "\(left), \(right) match strongly, but not weakly")
        let one = EntityTag.parse(ContiguousArray(list).span.bytes)
        let other = EntityTag.parse(ContiguousArray(tag).span.bytes)
        if let one, let other, String(validating: list, as: UTF8.self) != nil,
            String(validating: tag, as: UTF8.self) != nil
        {
            require(
                one.matchesWeakly(in: ContiguousArray(list).span.bytes, other, in: ContiguousArray(tag).span.bytes)
                    == isWeakMatch
                    && one.matchesStrongly(
                        in: ContiguousArray(list).span.bytes, other, in: ContiguousArray(tag).span.bytes)
                        == isStrongMatch,
                "\(left), \(right) compare otherwise as bytes")
            checkUpdate(of: list, by: tag)
        }
    }

    /// Updates a stored response with the `ETag` `list` by a response with the `ETag` `tag`.
    private static func checkUpdate(of list: [UInt8], by tag: [UInt8]) {
        let (left, right) = (String(decoding: list, as: UTF8.self), String(decoding: tag, as: UTF8.self))
        let (stored, told) = (list.trimmed, tag.trimmed)
        func opaque(_ tag: [UInt8]) -> [UInt8] { tag.starts(with: "W/".utf8) ? Array(tag[2...]) : tag }
        let isSame = told.starts(with: "W/".utf8) ? opaque(stored) == opaque(told) : stored == told
        let (old, news): (HTTPFields, HTTPFields) = (["ETag": left, "Age": "1", "X": "1"], ["ETag": right, "X": "2"])

        let answer = Freshening.freshen(old, with: news, sentStoredValidators: false)
        require(answer == (isSame ? .freshened(news) : .differs), "\(left), confirmed by \(right): \(answer)")
        let head = HeadUpdate.decide(old, bodyCount: 0, head: news, status: 200)
        // A server that compresses answers to GET alone makes their tags weak; the weak tag stays then.
        let isSameByHead = stored.starts(with: "W/".utf8) ? opaque(stored) == opaque(told) : stored == told
        switch head {
        case .updated(let fields):
            require(isSameByHead && fields["X"] == "2", "\(left), and \(right) for HEAD: \(fields)")
            require(stored != told || fields == news, "\(left) again for HEAD: \(fields)")
        case .changed: require(!isSameByHead, "\(left) is changed by \(right) for HEAD")
        case .unrelated: require(false, "a 200 says nothing of \(left)")
        }
        require(
            HeadUpdate.decide(old, bodyCount: 0, head: news, status: 404) == .unrelated,
            "a 404 says something of \(left)")
    }

    /// A list's tags as written, and whether the whole list was read.
    private static func members(of list: [UInt8]) -> (tags: [[UInt8]], isWhole: Bool) {
        var reader = EntityTagList()
        var tags: [[UInt8]] = []
        while let tag = reader.next(in: ContiguousArray(list).span.bytes) {
            tags.append((tag.isWeak ? [0x57, 0x2F] : []) + list[tag.opaqueTag.range])
        }
        require(reader.next(in: ContiguousArray(list).span.bytes) == nil, "\(list.quoted) goes on behind its end")
        return (tags, !reader.isMalformed)
    }
}
