import HTTPCache
import HTTPSemantics

/// A session's own work on every exchange, whichever transport carries it: the cookies of the answer.
struct SessionTransport: Transport {
    let carrier: any Transport
    let cookies: SessionCookies

    func send(_ outgoing: OutgoingRequest) async throws -> IncomingResponse {
        let incoming = try await carrier.send(outgoing)
        // For the URL as the application wrote it, whatever it was rewritten to.
        if let asked = (outgoing.context as? RequestContext)?.request { cookies.store(incoming.response, to: asked) }
        return incoming
    }
}
