import HTTPSemantics
import Testing

/// RFC 9111, section 3, with a test for each requirement; `RFC9111.md` lists them.
@Suite("RFC 9111, section 3") struct Section3Tests {
    static let cacheable = "Cache-Control: max-age=60"

    @Test("a response to a method that is not GET is not stored") func aResponseToAMethod() {
        #expect(storability(response(Self.cacheable), facts(method: "POST")) == .refuse(.method))
        #expect(storability(response(Self.cacheable), facts(method: "UNKNOWN")) == .refuse(.method))
    }

    @Test("a response that is not final is not stored") func aResponseThatIsNotFinal() {
        #expect(storability(response(Self.cacheable, status: 103)) == .refuse(.notFinal))
    }

    @Test("206 and 304 are not stored as whole responses") func status206And304AreNotStored() {
        #expect(storability(response(Self.cacheable, status: 206)) == .refuse(.partial))
        #expect(storability(response(Self.cacheable, status: 304)) == .refuse(.notModified))
    }

    @Test("must-understand keeps a status out that is not understood") func mustUnderstandKeepsAStatusOut() {
        #expect(
            storability(response("Cache-Control: must-understand, max-age=60", status: 299)) == .refuse(.notUnderstood))
    }

    @Test("a response with no-store is not stored") func aResponseWithNoStore() {
        #expect(storability(response("Cache-Control: no-store, max-age=60")) == .refuse(.responseNoStore))
    }

    @Test("a response is stored only if a lifetime, a directive or its status says so") func aResponseIsStoredOnlyIf() {
        #expect(storability(response("ETag: \"x\"", status: 302)) == .refuse(.notCacheable))
        for reason in ["Cache-Control: public", "Cache-Control: private", "Expires: {60}", Self.cacheable] {
            #expect(storability(response(reason, status: 302)) == .store)
        }
        #expect(storability(response(status: 404)) == .store)
    }

    @Test("unknown fields are stored too") func unknownFieldsAreStoredToo() {
        let received = header("X-New: 1\nETag: \"x\"\nx-new: 2")
        #expect(StoredFields.storable(received) == received)
    }

    @Test("fields of the proxy on the way are not stored") func fieldsOfTheProxyOn() {
        let received = header("Proxy-Authenticate: a\nProxy-Authentication-Info: b\nProxy-Authorization: c\nA: 1")
        #expect(StoredFields.storable(received) == header("A: 1"))
    }

    @Test("what is stored are fields of the header and no others") func whatIsStoredAreFields() {
        let received = header("A: 1\nTrailer: B\nConnection: C\nC: 2")
        #expect(Set(StoredFields.storable(received).fields).isSubset(of: received.fields))
    }

    @Test("an update takes every field of the newer response but the exceptions") func anUpdateTakesEveryField() {
        let stored = header("A: 1\nB: 1\nContent-Length: 5")
        let news = header("B: 2\nC: 2\nContent-Length: 0\nConnection: X\nX: 1")
        #expect(
            Freshening.freshen(stored, with: news, sentStoredValidators: true)
                == .freshened(header("A: 1\nContent-Length: 5\nB: 2\nC: 2")))
    }

    @Test("an incomplete response is neither stored nor used") func anIncompleteResponseIsNeitherStored() {
        let values = ResponseValues(response(Self.cacheable), responseTime: receipt)
        #expect(Storability.decide(facts(), values, isComplete: false) == .refuse(.incomplete))
    }

    @Test("a part of a stored response is marked as 206") func aPartIsMarked() {
        let fields = StoredFields.part(header("ETag: \"x\"\nContent-Length: 9"), 0..<2, of: 9)
        #expect(fields == header("ETag: \"x\"\nContent-Length: 2\nContent-Range: bytes 0-1/9"))
    }

    @Test("parts are joined only when they have one strong validator") func partsAreJoinedOnlyWhenThey() {
        #expect(Resumption.fields(received: 5, of: response("ETag: W/\"x\""), responseTime: receipt) == nil)
        let part = response("ETag: \"y\"\nContent-Range: bytes 5-9/10", status: 206)
        #expect(Resumption.decide(part, received: 5, of: header("ETag: \"x\"")) == .doesNotFit)
    }

    @Test("joining parts updates the stored fields with those of the newer part")
    func joiningPartsUpdatesTheStoredFields() {
        let joined = Resumption.joined(header("A: 1\nETag: \"x\""), with: header("A: 2\nContent-Range: bytes 5-9/10"))
        #expect(joined == header("ETag: \"x\"\nA: 2"))
    }
}
