import HTTPSemantics
import Testing

@testable import HTTPCache

/// Which answers may still change the store.
@Suite struct AnswerOrderTests {
    private let order = AnswerOrder()
    private static let key: [UInt8] = Array("https://example.org/a".utf8)

    private static func moment(_ sent: UInt64, _ received: UInt64, _ date: Int64? = nil) -> AnswerMoment {
        AnswerMoment(sent: sent, received: received, date: date)
    }

    @Test(
        "an answer that was asked for later is newer; where two overlapped, the later Date tells",
        arguments: [
            // Not at the same time: whatever Date says.
            (moment(3, 4, 10), moment(1, 2, 99), true), (moment(1, 2, 99), moment(3, 4, 10), false),
            // At the same time.
            (moment(2, 4), moment(1, 3), true), (moment(1, 4), moment(2, 3), false),
            (moment(1, 4, 11), moment(2, 3, 10), true), (moment(2, 3, 10), moment(1, 4, 11), false),
            (moment(1, 4, 10), moment(2, 3, 10), false), (moment(2, 4, 10), moment(1, 3, 10), true),
            // One without a Date: the order of the requests is all that is known.
            (moment(1, 4, 11), moment(2, 3), false), (moment(2, 4), moment(1, 3, 99), true),
        ])
    func replacing(new: AnswerMoment, old: AnswerMoment, isNewer: Bool) {
        #expect(new.mayReplace(old) == isNewer)
    }

    @Test("what may not replace one of two does not replace the two joined, and what was sent after both does")
    func joining() {
        let joined = Self.moment(1, 10, 101).joined(with: Self.moment(5, 6, 100))
        #expect(!Self.moment(3, 12).mayReplace(joined))
        #expect(!Self.moment(6, 12, 100).mayReplace(joined))
        #expect(Self.moment(11, 12).mayReplace(joined))
        // Whichever of the two came first, the later Date stays.
        let turned = Self.moment(5, 6, 100).joined(with: Self.moment(1, 10, 101))
        #expect(!Self.moment(6, 12, 100).mayReplace(turned) && Self.moment(6, 12, 102).mayReplace(turned))
    }

    @Test(
        "a Date in the future counts as the moment of receipt, and an invalid one as none",
        arguments: [
            ("Tue, 01 Jan 2030 00:00:00 GMT", 1_800_000_000), ("Fri, 15 Jan 2027 07:59:59 GMT", 1_799_999_999),
            ("soon", nil), (nil, nil),
        ] as [(String?, Int64?)])
    func dates(text: String?, expected: Int64?) {
        var response = HTTPResponse()
        response.headerFields["Date"] = text
        #expect(response.orderingDate(receivedAt: 1_800_000_000) == expected)
    }

    @Test("an earlier answer is not stored over a later one of its URL, unless it is another variant") func variants() {
        let (early, late) = (order.begin(), order.begin())
        func match(_ vary: String?, _ value: String) -> VaryMatch {
            VaryMatch(
                VarySelection(vary),
                of: HTTPRequest(url: "https://example.org/a", headerFields: ["Accept": .init(value)]))
        }
        order.noteAnswer(order.received(HTTPResponse(), sent: late, now: 0), Self.key, match("Accept", "a"))
        let moment = order.received(HTTPResponse(), sent: early, now: 0)
        #expect(order.admits(moment, Self.key, match("Accept", "b")))
        #expect(!order.admits(moment, Self.key, match("Accept", "a")))
        // These would take the place of the index, and with it of the variant.
        #expect(!order.admits(moment, Self.key, match(nil, "b")))
        #expect(!order.admits(moment, Self.key, match("Accept, Cookie", "b")))
        #expect(!order.admits(moment, Self.key, nil))
        #expect(order.admits(moment, Array("https://example.org/b".utf8), nil))
    }

    @Test("nobody waits for an answer that may be older than one that has come, whether that is stored or not")
    func hearing() {
        let other = Array("https://example.org/b".utf8)
        func answer(_ date: Int64) -> HTTPResponse {
            HTTPResponse(headerFields: ["Date": .init(HTTPDate.format(date))])
        }
        let (early, late) = (order.begin(), order.begin())
        #expect(order.mayJoin(sent: early, Self.key) && order.mayJoin(sent: late, Self.key))
        let heard = order.received(answer(100), sent: late, now: 1_000)
        order.noteHeard(heard, Self.key)
        #expect(!order.mayJoin(sent: early, Self.key) && order.mayJoin(sent: early, other))
        // Its own answer, when it comes, may be the newer one all the same: they overlapped.
        for (date, mayJoin) in [(99, false), (101, true)] as [(Int64, Bool)] {
            #expect(order.mayJoin(order.received(answer(date), sent: early, now: 1_000), Self.key) == mayJoin)
        }
        #expect(order.mayJoin(heard, Self.key))
        let next = order.begin()
        #expect(order.mayJoin(sent: next, Self.key))
        order.noteAnswer(heard, Self.key, nil)
        #expect(order.mayJoin(sent: next, Self.key) && order.mayJoin(heard, Self.key))
        order.noteAnswer(order.present(102), Self.key, nil)
        #expect(!order.mayJoin(sent: next, Self.key) && !order.mayJoin(heard, Self.key))
        for sent in [early, late, next] { order.end(sent) }
        #expect(order.markCount == 0)
        // Alone, there is nobody who could wait for another.
        let alone = order.begin()
        let moment = order.received(answer(100), sent: alone, now: 1_000)
        order.noteHeard(moment, Self.key)
        order.noteAnswer(moment, Self.key, nil)
        #expect(order.markCount == 0)
        order.end(alone)
    }

    @Test("one URL with many variants has few marks, and what is forgotten counts as later") func manyVariants() {
        let early = order.begin()
        for number in 0..<1_000 {
            let sent = order.begin()
            let request = HTTPRequest(url: "", headerFields: ["Accept": .init("\(number)")])
            order.noteAnswer(
                order.received(HTTPResponse(), sent: sent, now: 0), Self.key,
                VaryMatch(VarySelection("Accept"), of: request))
            order.end(sent)
        }
        let first = HTTPRequest(url: "", headerFields: ["Accept": "0"])
        #expect(
            !order.admits(
                order.received(HTTPResponse(), sent: early, now: 0), Self.key,
                VaryMatch(VarySelection("Accept"), of: first)))
        #expect(order.markCount == 1)
    }

    @Test("there are no marks while nothing is under way, and a bounded number while something is") func bounds() {
        func change(_ number: Int) {
            let sent = order.begin()
            let moment = order.received(HTTPResponse(), sent: sent, now: 0)
            order.noteAnswer(moment, Array("https://example.org/\(number)".utf8), nil)
            order.noteRemoval(Array("https://example.net/\(number)".utf8))
            order.end(sent)
        }
        for number in 0..<10 { change(number) }
        #expect(order.markCount == 0)
        let slow = order.begin()
        var (before, drops) = (0, 0)
        let mostDrops = 40_000 / (AnswerOrder.mostMarks / 2) + 1
        for number in 0..<20_000 where drops <= mostDrops {
            change(number)
            #expect(order.markCount <= AnswerOrder.mostMarks + 1)
            // Each drop sorts all marks.
            if order.markCount < before + 2 { drops += 1 }
            before = order.markCount
        }
        #expect(drops <= mostDrops)
        // Its mark may be one of those that went.
        #expect(!order.admits(order.received(HTTPResponse(), sent: slow, now: 0), Self.key, nil))
        let next = order.begin()
        #expect(order.admits(order.received(HTTPResponse(), sent: next, now: 0), Self.key, nil))
        order.end(slow)
        order.end(next)
        #expect(order.markCount == 0)
    }

    @Test("what the application stores itself counts as asked for at that moment") func application() {
        let early = order.begin()
        let present = order.present(100)
        order.noteAnswer(present, Self.key, nil)
        func answer(_ date: String?) -> AnswerMoment {
            var response = HTTPResponse()
            response.headerFields["Date"] = date
            return order.received(response, sent: early, now: 200)
        }
        #expect(!order.admits(answer(nil), Self.key, nil))
        #expect(!order.admits(answer("Thu, 01 Jan 1970 00:01:40 GMT"), Self.key, nil))
        // The origin made it later.
        #expect(order.admits(answer("Thu, 01 Jan 1970 00:01:41 GMT"), Self.key, nil))
        order.end(early)
        let late = order.begin()
        #expect(order.admits(order.received(HTTPResponse(), sent: late, now: 200), Self.key, nil))
    }
}
