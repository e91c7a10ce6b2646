import Testing

@testable import HTTPSemantics

@Suite("Selection by Vary") struct VarySelectionTests {
    @Test(
        "Vary names fields without regard to case and order, and a star anywhere matches nothing",
        arguments: [
            (nil, [], false), ("", [], false), (" , ,", [], false), ("Accept", ["accept"], false),
            ("Accept-Encoding, ACCEPT", ["accept", "accept-encoding"], false), ("a,a ,A", ["a"], false),
            ("b,\ta", ["a", "b"], false), ("*", [], true), ("a, *", [], true), ("*, a", [], true),
            ("a, * ,b", [], true), ("**", ["**"], false), ("a*", ["a*"], false),
            ("a b", [], true), ("a, b c", [], true),
        ] as [(String?, [String], Bool)])
    func varyNamesFieldsWithoutRegard(vary: String?, names: [String], matchesNothing: Bool) {
        let selection = VarySelection(vary)
        #expect(selection.names == names)
        #expect(selection.matchesNothing == matchesNothing)
        #expect((selection.variantKey(of: header("A: 1")) == nil) == matchesNothing)
    }

    @Test("languages are spelled by falling weight, and stored so for later versions") func languages() {
        var bytes: [UInt8] = []
        #expect(AcceptLanguage.append("DE;q=0.5, en, fr;q=0.50 ,\tes;q=0", to: &bytes))
        #expect(String(decoding: bytes, as: UTF8.self) == "en;1000,de;500,fr;500,es;0,")
    }

    @Test(
        "two requests have one variant key when the named fields match",
        arguments: [
            // Vary, one request, another, match
            ("Accept", "Accept: a", "Accept: a", true),
            ("Accept", "Accept: a", "accept: a", true),
            ("ACCEPT", "Accept: a", "Accept: a\nOther: b", true),
            ("Accept", "Accept: a", "Accept: b", false),
            ("Accept", "Accept: a", "Accept: A", false),
            ("Accept", "", "", true),
            ("Accept", "Accept: a", "", false),
            ("Accept", "Accept: ", "", false),
            ("Accept", "Accept: a,b", "Accept:  a , b ", true),
            ("Accept", "Accept: a, b", "Accept: a\nAccept: b", true),
            ("Accept", "Accept: a, b", "Accept: b, a", false),
            ("Accept", "Accept: a\tb", "Accept: a   b", true),
            ("Accept", "Accept: a b", "Accept: ab", false),
            ("Accept", "Accept: \"a, b\"", "Accept: \"a,b\"", false),
            ("Accept", "Accept: \"a  b\"", "Accept: \"a b\"", false),
            ("Accept", "Accept: \"a\\\"  b\"", "Accept: \"a\\\" b\"", false),
            ("Accept", "Accept: \"a\\\\\"  b", "Accept: \"a\\\\\" b", true),
            ("Accept", "Accept: \"a\\\\\\\"  b\"", "Accept: \"a\\\\\\\" b\"", false),
            ("Accept", "Accept: \"a\"  b", "Accept: \"a\" b", true),
            ("Accept, Accept-Language", "Accept: a\nAccept-Language: b", "Accept-Language: b\nAccept: a", true),
            ("Accept, Accept-Language", "Accept: a\nAccept-Language: b", "Accept: b\nAccept-Language: a", false),
            ("Accept, Accept-Language", "Accept: a", "Accept-Language: a", false),
            ("Accept, Accept-Language", "Accept: a", "Accept: a\nAccept-Language: ", false),
            ("Accept-Language", "Accept-Language: de, en;q=0.5", "Accept-Language: EN ; q=0.5 ,DE", true),
            ("Accept-Language", "Accept-Language: de;q=1.0,en;q=0.50", "Accept-Language: DE, en;Q=0.5", true),
            ("Accept-Language", "Accept-Language: de, en", "Accept-Language: en, de", false),
            ("Accept-Language", "Accept-Language: de, en;q=0.5", "Accept-Language: de;q=0.5, en", false),
            ("Accept-Language", "Accept-Language: de, en;q=0.5", "Accept-Language: de, en;q=0.501", false),
            ("Accept-Language", "Accept-Language: de;q=2", "Accept-Language: DE;q=2", false),
            ("Accept-Language", "Accept-Language: de;q=2", "Accept-Language:  de;q=2 ", true),
            ("Accept-Language", "Accept-Language: de;q=1.001", "Accept-Language: DE;q=1.001", false),
            ("Accept-Language", "Accept-Language: de;q=0.1234", "Accept-Language: DE;q=0.1234", false),
            ("Accept-Language", "Accept-Language: de;q=1.000", "Accept-Language: DE", true),
            ("Accept-Language", "Accept-Language: de;1000,", "Accept-Language: de", false),
            ("Accept-Language", "Accept-Language: de", "", false),
            // Names, weights and members that read the same if one of the marks between them is missing or misplaced.
            ("Accept-Language", "Accept-Language: en;q=0.01", "Accept-Language: en1;q=0", false),
            ("Accept-Language", "Accept-Language: a;q=0.01,0b;q=0", "Accept-Language: a;q=0.1,b;q=0", false),
            ("Accept-Language", "Accept-Language: a, b", "Accept-Language: ab", false),
            ("thumbnail", "thumbnail: true", "", false),
            ("*", "Accept: a", "Accept: a", false),
            ("Accept, *", "Accept: a", "Accept: a", false),
        ])
    func twoRequestsHaveOneVariantKey(vary: String, one: String, other: String, match: Bool) {
        let selection = VarySelection(vary)
        let key = selection.variantKey(of: header(one))
        #expect((key != nil && key == selection.variantKey(of: header(other))) == match)
    }

    @Test("no two bytes of a language are taken for one, except a capital and its small letter") func languageBytes() {
        let selection = VarySelection("Accept-Language")
        var keys: [[UInt8]?: String] = [:]
        for byte in UInt8(0x21)..<0x7F where byte != UInt8(ascii: ",") && byte != UInt8(ascii: ";") {
            let character = Character(UnicodeScalar(byte))
            let key = selection.variantKey(of: ["Accept-Language": "a\(character)b"])
            let small = character.isLetter ? character.lowercased() : String(character)
            #expect(keys.updateValue(small, forKey: key) ?? small == small)
        }
    }

    @Test("an application's own names select where the server names none") func anApplicationSOwnNamesSelect() {
        let selection = VarySelection(nil, also: ["Thumbnail"])
        #expect(selection.names == ["thumbnail"])
        #expect(selection.variantKey(of: header("thumbnail: true")) != selection.variantKey(of: header("")))
        #expect(VarySelection("a", also: ["*"]).matchesNothing == false)
    }

    @Test("nothing selects without Vary") func nothingSelectsWithoutVary() {
        #expect(VarySelection(nil).isEmpty)
        #expect(VarySelection(nil).variantKey(of: header("A: 1")) == [])
        #expect(!VarySelection("*").isEmpty)
        #expect(!VarySelection("a").isEmpty)
    }

    @Test(
        "a weight with a character that is no digit is not understood", arguments: ["0.:", "0./", "0.a", ":", "1.01"])
    func wrongWeight(weight: String) {
        let selection = VarySelection("Accept-Language")
        let understood = ["", ";q=1", ";q=0"].map { selection.variantKey(of: header("Accept-Language: en\($0)")) }
        #expect(!understood.contains(selection.variantKey(of: header("Accept-Language: en;q=\(weight)"))))
    }
}
