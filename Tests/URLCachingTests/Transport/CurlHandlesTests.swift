import HTTPCache
import HTTPSemantics
import Testing

@testable import CurlTransport

@Suite struct CurlHandlesTests {
    @Test("fewer than 16 used handles wait to be destroyed, and none where the thread has time") func used() throws {
        let library = try CurlLibrary.shared.get()
        let settings = TransportSettings()
        let connections = CurlConnections()
        var handles = CurlHandles(library, settings, connections)
        let outgoing = OutgoingRequest(HTTPRequest(url: "http://a.example/"))
        let request = try CurlRequest(outgoing, defaults: DefaultLines(userAgent: "test"))
        var most = 0
        for _ in 0..<40 {
            let taken = handles.take()
            let easy = try #require(taken)
            let transfer = CurlTransfer(
                request, CurlBody(onRoom: {}, onCancel: {}), easy, library: library, settings: settings,
                news: CurlNews(), connections: connections, repeating: nil, onBytesToSend: {})
            guard let transfer else { throw NoMemory() }
            handles.retire(transfer)
            most = max(most, handles.usedCount)
        }
        #expect(most == 15)
        handles.prepare()
        let left = handles.usedCount
        #expect(left == 0)
    }

    private struct NoMemory: Error {}
}
