import HTTPSemantics
import Testing

@Suite("Entity tag") struct EntityTagTests {
    @Test(
        "an entity tag is quoted text of visible bytes, weak with W/ in capitals",
        arguments: [
            ("\"xyzzy\"", "\"xyzzy\"", false), ("W/\"xyzzy\"", "\"xyzzy\"", true), ("\"\"", "\"\"", false),
            ("W/\"\"", "\"\"", true), ("\"a,b\"", "\"a,b\"", false), ("\"a\\\"", "\"a\\\"", false),
            ("\"W/\"", "\"W/\"", false), ("\"!#~\"", "\"!#~\"", false), ("\"é\"", "\"é\"", false),
            ("\"*\"", "\"*\"", false), ("\"5f3c-1a7\"", "\"5f3c-1a7\"", false),
        ])
    func valid(text: String, opaque: String, isWeak: Bool) {
        let bytes = Array(text.utf8)
        let tag = EntityTag.parse(ContiguousArray(bytes).span.bytes)
        #expect(tag?.isWeak == isWeak)
        #expect(tag?.opaqueTag.text(in: ContiguousArray(bytes).span.bytes) == opaque)
    }

    @Test(
        "anything else is no entity tag",
        arguments: [
            "", "xyzzy", "\"", "\"xyzzy", "xyzzy\"", "w/\"xyzzy\"", "W\"xyzzy\"", "W/xyzzy", "W/", "W", "W/\"",
            "W /\"x\"",
            "\"a b\"", "\"a\tb\"", "\"a\"b\"", "\"a\" ", " \"a\"", "'a'", "\"a\u{7F}\"", "\"a\u{0}\"", "\"a\", \"b\"",
            "*",
            "\"a\"\"b\"", "W/W/\"a\"", "\\\"a\\\"",
        ])
    func invalid(text: String) {
        #expect(EntityTag.parse(ContiguousArray(text.utf8).span.bytes) == nil)
    }

    @Test(
        "weak comparison ignores W/, strong comparison wants none",
        arguments: [
            // RFC 9110, section 8.8.3.2, table 3
            ("W/\"1\"", "W/\"1\"", false, true), ("W/\"1\"", "W/\"2\"", false, false),
            ("W/\"1\"", "\"1\"", false, true),
            ("\"1\"", "\"1\"", true, true), ("\"1\"", "\"2\"", false, false), ("\"a\"", "\"A\"", false, false),
            (" \"1\" ", "\"1\"", true, true), ("1", "1", false, false), ("\"1", "\"1", false, false),
            ("\"\"", "\"\"", true, true), ("\"1\"", "\"11\"", false, false), ("w/\"1\"", "w/\"1\"", false, false),
        ])
    func comparison(left: String, right: String, strongly: Bool, weakly: Bool) {
        #expect(EntityTag.matchesStrongly(left, right) == strongly)
        #expect(EntityTag.matchesStrongly(right, left) == strongly)
        #expect(EntityTag.matchesWeakly(left, right) == weakly)
        #expect(EntityTag.matchesWeakly(right, left) == weakly)
        let first = Array(left.utf8)
        let second = Array(right.utf8)
        guard let one = EntityTag.parse(ContiguousArray(first).span.bytes),
            let other = EntityTag.parse(ContiguousArray(second).span.bytes)
        else {
            return
        }
        #expect(
            one.matchesStrongly(in: ContiguousArray(first).span.bytes, other, in: ContiguousArray(second).span.bytes)
                == strongly)
        #expect(
            one.matchesWeakly(in: ContiguousArray(first).span.bytes, other, in: ContiguousArray(second).span.bytes)
                == weakly)
    }
}

@Suite("List of entity tags") struct EntityTagListTests {
    @Test(
        "a list gives its tags in order, up to the first invalid one",
        arguments: [
            ("\"a\"", ["\"a\""], false), ("\"a\", \"b\"", ["\"a\"", "\"b\""], false),
            ("W/\"a\",\"b\"", ["w\"a\"", "\"b\""], false), (" ,, \"a\" ,\t, \"b\" ,", ["\"a\"", "\"b\""], false),
            ("\"a,b\", \"c\"", ["\"a,b\"", "\"c\""], false), ("", [], false), (",", [], false), (" \t", [], false),
            ("*", [], true), ("\"a\" \"b\"", [], true), ("\"a\", b, \"c\"", ["\"a\""], true),
            ("\"a\", *", ["\"a\""], true),
            ("\"a\";\"b\"", [], true), ("\"a", [], true), ("\"a\", \"b", ["\"a\""], true), ("a\"b\"", [], true),
            ("\"a\",W/", ["\"a\""], true), ("\"a b\", \"c\"", [], true),
        ])
    func iteration(text: String, expected: [String], isMalformed: Bool) {
        let bytes = Array(text.utf8)
        var tags = EntityTagList()
        var read: [String] = []
        while let tag = tags.next(in: ContiguousArray(bytes).span.bytes) {
            read.append((tag.isWeak ? "w" : "") + tag.opaqueTag.text(in: ContiguousArray(bytes).span.bytes))
        }
        #expect(read == expected)
        #expect(tags.isMalformed == isMalformed)
        #expect(tags.next(in: ContiguousArray(bytes).span.bytes) == nil)
    }

    @Test(
        "only a star alone stands for any tag",
        arguments: [
            ("*", true), (" * ", true), ("\t*", true), ("*,", false), ("**", false), ("\"*\"", false), ("", false),
            ("*, \"a\"", false),
        ])
    func any(text: String, isAny: Bool) {
        #expect(EntityTagList.isAny(ContiguousArray(text.utf8).span.bytes) == isAny)
    }

    @Test(
        "If-None-Match names a stored tag by weak comparison",
        arguments: [
            ("\"a\"", "\"a\"", true), ("W/\"a\"", "\"a\"", true), ("\"a\"", "W/\"a\"", true),
            ("\"x\", \"a\"", "\"a\"", true),
            ("\"x\", y, \"a\"", "\"a\"", false), ("*", "\"a\"", true), ("*", "unquoted", true), ("a", "a", false),
            ("\"a\"", "a", false), ("\"A\"", "\"a\"", false), ("", "\"a\"", false),
        ])
    func matches(value: String, entityTag: String, isMatch: Bool) {
        #expect(EntityTagList.matches(value, entityTag: entityTag) == isMatch)
    }
}
