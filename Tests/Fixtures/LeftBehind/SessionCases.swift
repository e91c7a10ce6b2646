import LoopbackOrigin
import Platform
import URLCaching

/// Sessions, caches and recorders that are made and dropped.
enum SessionCases {
    static let all: [Case] = [
        Case("session/dropped unused") { _ in { _ = Bench.session() } },
        session("dropped after a request") { session, bench in
            _ = try await session.data(for: bench.request())
            await Bench.quiet(session)
        },
        session("dropped with a request under way") { session, bench in
            try await bench.holding { hold in
                let task = Task { try await session.data(for: bench.request("/held")) }
                await hold.reached()
                task.cancel()
                _ = await task.result
            }
        },
        session("invalidated") { session, bench in
            try await bench.holding { hold in
                let task = session.dataTask(with: bench.request("/held"))
                task.resume()
                await hold.reached()
                session.invalidateAndCancel()
            }
            await Bench.quiet(session)
        },
        session("finished") { session, bench in
            session.dataTask(with: bench.request()).resume()
            session.finishTasksAndInvalidate()
            await Bench.quiet(session)
        },
        session("with a recorder") { session, bench in
            for path in ["/a", "/b", "/a"] { _ = try await session.data(for: bench.request(path)) }
            await Bench.quiet(session)
        },
        Case("session/a recorder") { directory in
            let bench = try Bench { _, _ in OriginReply([("Cache-Control", "max-age=60")], text: "hello") }
            return {
                let recorder = RequestRecorder(byteLimit: 4_096)
                let session = Bench.session { $0.recorder = recorder }
                for number in 0..<20 { _ = try await session.data(for: bench.request("/\(number)")) }
                try recorder.write(to: URL(filePath: directory + "/trace"))
                try require(recorder.requestCount > 0 && recorder.droppedCount > 0, "no limit")
                try require((try? recorder.write(to: URL(filePath: directory + "/no/trace"))) == nil, "written")
                recorder.removeAll()
                await Bench.quiet(session)
            }
        },
        Case("session/a cache on disk") { directory in
            let bench = try Bench { _, _ in OriginReply([("Cache-Control", "max-age=60")], text: "hello") }
            return {
                let cache = try ResponseCache(
                    owning: URL(filePath: directory + "/owned"), memoryCapacity: 1 << 16, diskCapacity: 1 << 17)
                var configuration = CachingSession.Configuration()
                configuration.urlSession = .ephemeral
                let session = CachingSession(configuration: configuration, cache: cache)
                for number in 0..<5 { _ = try await session.data(for: bench.request("/\(number)")) }
                await Bench.quiet(session)
                try cache.flush()
            }
        },
    ]

    /// Uses a session that is made for it, and drops it.
    private static func session(
        _ name: String, _ use: @escaping @Sendable (CachingSession, Bench) async throws -> Void
    ) -> Case {
        Case("session/\(name)") { _ in
            let bench = try Bench { request, hold in
                var reply = OriginReply([("Cache-Control", "max-age=60")], text: "hello")
                if request.path == "/held" { reply.holdHead = hold }
                return reply
            }
            return { try await use(Bench.session { $0.recorder = RequestRecorder() }, bench) }
        }
    }
}
