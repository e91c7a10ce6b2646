#if os(Linux)
import LoopbackOrigin
import Platform
import Testing
import URLCaching

/// A program that the application starts by `posix_spawn` or `popen` would keep what it inherits open.
@Suite(.timeLimit(.minutes(60))) struct InheritedDescriptorTests {
    @Test("a started program inherits neither a connection nor the file of a download") func inherited() async throws {
        let hold = Hold()
        defer { hold.release() }
        let mark = UUID().uuidString
        let origin = try LoopbackOrigin { _ in
            var reply = OriginReply(text: mark + mark)
            reply.holdBody = (after: mark.utf8.count, hold: hold)
            return reply
        }
        let session = CachingSession(configuration: .patient, cache: nil)
        let task = session.downloadTask(with: origin.url("/a"))
        task.resume()
        let port = try #require(origin.url("/").port)
        // Others of this process are other tests'.
        var own: [Int32] { Self.descriptors.filter { Self.holds($0, mark) } }
        while own.isEmpty { await Task.yield() }
        let connections = Self.descriptors.filter { Self.peerPort($0) == port }
        #expect(own.count == 1 && !connections.isEmpty)
        for descriptor in own + connections { #expect(fcntl(descriptor, F_GETFD) & FD_CLOEXEC != 0, "\(descriptor)") }
        task.cancel()
    }

    private static var descriptors: [Int32] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
        return names.compactMap { Int32($0) }
    }

    /// It is of the file of a download that begins with the text.
    private static func holds(_ descriptor: Int32, _ text: String) -> Bool {
        let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(descriptor)")
        guard let path, path.hasSuffix(".download") else { return false }
        return FileManager.default.contents(atPath: path)?.starts(with: Data(text.utf8)) == true
    }

    private static func peerPort(_ descriptor: Int32) -> Int? {
        var address = sockaddr_in()
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) }
        }
        guard status == 0, address.sin_family == AF_INET else { return nil }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
#endif
