import HTTPSemantics
import Testing

/// RFC 9111, section 3, one requirement a test; `RFC9111.md` lists them.
@Suite struct Section3Tests {
    static let cacheable = "Cache-Control: max-age=60"

    @Test func `a response to a method that is not GET is not stored`() {
        #expect(storability(response(Self.cacheable), facts(method: "POST")) == .refuse(.method))
        #expect(storability(response(Self.cacheable), facts(method: "UNKNOWN")) == .refuse(.method))
    }

    @Test func `a response that is not final is not stored`() {
        #expect(storability(response(Self.cacheable, status: 103)) == .refuse(.notFinal))
    }

    @Test func `206 and 304 are not stored as responses of their own`() {
        #expect(storability(response(Self.cacheable, status: 206)) == .refuse(.partial))
        #expect(storability(response(Self.cacheable, status: 304)) == .refuse(.notModified))
    }

    @Test func `must-understand keeps a status out that is not understood`() {
        #expect(
            storability(response("Cache-Control: must-understand, max-age=60", status: 299)) == .refuse(.notUnderstood))
    }

    @Test func `a response with no-store is not stored`() {
        #expect(storability(response("Cache-Control: no-store, max-age=60")) == .refuse(.responseNoStore))
    }

    @Test func `a response is stored only if a lifetime, a directive or its status says so`() {
        #expect(storability(response("ETag: \"x\"", status: 302)) == .refuse(.notCacheable))
        for reason in ["Cache-Control: public", "Cache-Control: private", "Expires: {60}", Self.cacheable] {
            #expect(storability(response(reason, status: 302)) == .store)
        }
        #expect(storability(response(status: 404)) == .store)
    }

    @Test func `unknown fields are stored too`() {
        let received = header("X-New: 1\nETag: \"x\"\nx-new: 2")
        #expect(StoredFields.storable(received) == received)
    }

    @Test func `fields of the proxy on the way are not stored`() {
        let received = header("Proxy-Authenticate: a\nProxy-Authentication-Info: b\nProxy-Authorization: c\nA: 1")
        #expect(StoredFields.storable(received) == header("A: 1"))
    }

    @Test func `what is stored are fields of the header and no others`() {
        let received = header("A: 1\nTrailer: B\nConnection: C\nC: 2")
        #expect(Set(StoredFields.storable(received).fields).isSubset(of: received.fields))
    }

    @Test func `an update takes every field of the newer response but the exceptions`() {
        let stored = header("A: 1\nB: 1\nContent-Length: 5")
        let news = header("B: 2\nC: 2\nContent-Length: 0\nConnection: X\nX: 1")
        #expect(
            Freshening.freshen(stored, with: news, sentStoredValidators: true)
                == .freshened(header("A: 1\nContent-Length: 5\nB: 2\nC: 2")))
    }

    @Test func `an incomplete response is neither stored nor used`() {
        let values = ResponseValues(response(Self.cacheable), responseTime: receipt)
        #expect(Storability.decide(facts(), values, isComplete: false) == .refuse(.incomplete))
    }

    @Test func `a part is handed out only by the origin, as the 206 it sends`() {
        #expect(decide(stored(Self.cacheable), facts("Range: bytes=0-1"), after: 0) == .fetch(.range))
    }

    @Test func `parts are joined only when they have one strong validator`() {
        #expect(Resumption.fields(received: 5, of: response("ETag: W/\"x\""), responseTime: receipt) == nil)
        let part = response("ETag: \"y\"\nContent-Range: bytes 5-9/10", status: 206)
        #expect(Resumption.decide(part, received: 5, of: header("ETag: \"x\"")) == .doesNotFit)
    }

    @Test func `joining parts updates the stored fields with those of the newer part`() {
        let joined = Resumption.joined(header("A: 1\nETag: \"x\""), with: header("A: 2\nContent-Range: bytes 5-9/10"))
        #expect(joined == header("ETag: \"x\"\nA: 2"))
    }
}
