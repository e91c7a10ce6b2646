import Foundation
import Testing

@testable import GaugeSupport

/// Each error names the member, the kind of its value and the values that it takes.
@Suite("Fields of a JSON object") struct JSONFieldsTests {
    private static let place = JSONPlace(line: 3, column: 5)

    private func node(_ value: JSONNode.Value, column: Int = 9) -> JSONNode {
        JSONNode(value: value, place: JSONPlace(line: 4, column: column))
    }

    private func fields(_ members: [(name: String, value: JSONNode)]) throws -> JSONFields {
        try JSONFields(JSONNode(value: .object(members), place: Self.place), name: "plan")
    }

    private func message(_ body: () throws -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test("values of each kind are read, and a missing one has its default") func values() throws {
        var fields = try fields([
            ("number", node(.number(0.5))), ("whole", node(.number(7))), ("flag", node(.flag(true))),
            ("text", node(.text("é"))), ("word", node(.text("b"))), ("list", node(.list([node(.null), node(.null)]))),
        ])
        #expect(try fields.number("number", in: 0...0.5) == 0.5)
        #expect(try fields.whole("whole", in: 7...7) == 7)
        #expect(try fields.optionalWhole("whole", in: 0...9) == 7)
        #expect(try fields.flag("flag"))
        #expect(try fields.text("text", atMost: 2) == "é")
        #expect(try fields.word("word", among: ["a", "b"]) == "b")
        #expect(try fields.list("list", count: 2...2).count == 2)
        #expect(throws: Never.self) { try fields.finish() }
        #expect(try fields.number("other", in: 0...1, default: 9) == 9)
        #expect(try fields.whole("other", in: 0...1, default: 9) == 9)
        #expect(try fields.optionalWhole("other", in: 0...1) == nil)
        #expect(try fields.text("other", atMost: 1, default: "longer") == "longer")
        #expect(try !fields.flag("other"))
        #expect(fields.optional("other") == nil)
    }

    @Test("a value of another kind or outside its bounds is refused at its place") func refusals() throws {
        var fields = try fields([
            ("number", node(.number(1.5))), ("text", node(.text("é"))), ("flag", node(.flag(true))),
            ("list", node(.list([]))), ("null", node(.null)), ("object", node(.object([]))),
        ])
        let refused: [(String, () throws -> Void)] = [
            ("plan.number is 1.5; it takes a number from 2 to 3.5", { _ = try fields.number("number", in: 2...3.5) }),
            ("plan.number is 1.5; it takes a whole number from 1 to 2", { _ = try fields.whole("number", in: 1...2) }),
            ("plan.number is 1.5; it takes true or false", { _ = try fields.flag("number") }),
            ("plan.text is a text; it takes a text of at most 1 bytes", { _ = try fields.text("text", atMost: 1) }),
            ("plan.flag is true or false; it takes a, b", { _ = try fields.word("flag", among: ["a", "b"]) }),
            ("plan.list is a list; it takes a list of 1 to 3 members", { _ = try fields.list("list", count: 1...3) }),
            ("plan.null is null; it takes a number from 0 to 1", { _ = try fields.number("null", in: 0...1) }),
            ("plan.object is an object; it takes true or false", { _ = try fields.flag("object") }),
        ]
        for (expected, read) in refused { #expect(message(read) == "line 4, column 9: " + expected) }
        #expect(
            message { _ = try fields.word("text", among: ["e", "list"]) }
                == "line 4, column 9: plan.text: 'é' is unknown; did you mean e?; the choice is e, list")
    }

    @Test("what is missing is told at the object, and no object is told by its kind") func missing() throws {
        var fields = try fields([])
        let missing = "line 3, column 5: plan lacks 'a'; add it"
        #expect(message { _ = try fields.required("a") } == missing)
        #expect(message { _ = try fields.number("a", in: 0...1) } == missing)
        #expect(message { _ = try fields.whole("a", in: 0...1) } == missing)
        #expect(message { _ = try fields.text("a", atMost: 1) } == missing)
        #expect(
            message { _ = try JSONFields(node(.list([])), name: "plan") }
                == "line 4, column 9: plan is a list; write an object in {…}")
    }

    @Test("the first member that was not read is unknown, and is compared with those that were") func unknown() throws {
        var fields = try fields([
            ("keys", node(.null)), ("objets", node(.null, column: 20)), ("keyz", node(.null, column: 30)),
        ])
        _ = fields.optional("keys")
        _ = fields.optional("objects")
        #expect(
            message { try fields.finish() }
                == "line 4, column 20: plan has no 'objets'; did you mean objects?; it takes keys, objects")
    }

    @Test("a value is encoded as JSON, and one that is not a number as 0") func encoded() throws {
        let value = JSONValue.object([
            "a": .list([.text("x"), .number(1.5), .whole(2), .flag(true), .null]), "b": .number(.infinity),
            "c": .number(.nan),
        ])
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(value), as: UTF8.self)
                == #"{"a":["x",1.5,2,true,null],"b":0,"c":0}"#)
    }
}
