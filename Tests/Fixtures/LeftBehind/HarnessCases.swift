import Foundation
import GaugeMeasurement
import GaugeSupport
import LoopbackOrigin
import Platform

/// What the harness and its tests start: workers, other processes, directories, origins.
enum HarnessCases {
    static let all: [Case] =
        workers + [
            Case("harness/a program that cannot be started", count: 10) { _ in
                {
                    try require((try? ChildProcess("/nonexistent", arguments: [])) == nil, "started")
                    try require((try? WorkerProcess(executable: "/nonexistent", arguments: [])) == nil, "started")
                }
            },
            program("its output is read", "echo a; echo b >&2") { child in
                while child.isReadable { try child.read(waiting: -1) { _ in } }
                child.wait()
            },
            program("dropped while it runs", "exec sleep 600") { _ in },
            program("dropped after its end", "exit 3") { try require($0.wait() == .exited(code: 3), "no end") },
            program("it ends, and its child does not", "sleep 600 & exit 0") {
                $0.wait()
                $0.killGroup()
            },
            Case("harness/a temporary directory") { _ in
                {
                    let directory = try TemporaryDirectory(in: nil)
                    let inner = try directory.subdirectory("inner")
                    try Data(count: 10).write(to: URL(filePath: inner + "/file"))
                    directory.remove()
                    try require((try? TemporaryDirectory(in: "/nonexistent")) == nil, "made")
                }
            },
            Case("harness/an origin on a socket") { _ in
                {
                    let origin = try LoopbackOrigin { _ in OriginReply(text: "hello") }
                    let socket = try connectedSocket(to: origin.port)
                    _ = sendAll(Array("GET / HTTP/1.1\r\n\r\n".utf8), to: socket)
                    var byte: UInt8 = 0
                    _ = read(socket, &byte, 1)
                    close(socket)
                    origin.stop()
                }
            },
            Case("harness/a raw origin") { _ in
                {
                    let origin = try RawOrigin { _ in [.send([1])] }
                    let socket = try connectedSocket(to: UInt16(origin.base.split(separator: ":")[2]) ?? 0)
                    _ = sendAll(Array("GET / HTTP/1.1\r\n\r\n".utf8), to: socket)
                    var byte: UInt8 = 0
                    _ = read(socket, &byte, 1)
                    close(socket)
                    origin.stop()
                }
            },
        ]

    private static let hello = #"{"hello":{"protocol":\#(WorkerProtocol.version),"benchmark":"a/b/c"}}"#

    private static let workers: [Case] = [
        worker("is dropped after its greeting", "echo '\(hello)'; read line") { try $0.greet(within: 600) },
        worker("exits", "exit 7") { worker in try fails { try worker.greet(within: 600) } },
        worker("crashes", "kill -SEGV $$") { worker in try fails { try worker.greet(within: 600) } },
        worker("hangs", "exec sleep 600") { worker in try fails { try worker.greet(within: 0.01) } },
        worker("closes its output and hangs", "exec sleep 600 >&-", count: 1) { worker in
            try fails { try worker.greet(within: 600) }
        },
        worker("speaks another language", "echo hello; read line") { worker in
            try fails { try worker.greet(within: 600) }
        },
        worker("reads nothing", "exec <&-; echo '\(hello)'; read line") { worker in
            try worker.greet(within: 600)
            try fails { for _ in 0..<100_000 { try worker.send(.prepare) } }
        },
    ]

    private static func worker(
        _ name: String, _ script: String, count: Int = 5,
        _ use: @escaping @Sendable (WorkerProcess) throws -> Void
    ) -> Case {
        Case("harness/a worker that \(name)", count: count) { _ in
            { try use(try WorkerProcess(executable: "/bin/sh", arguments: ["-c", script])) }
        }
    }

    private static func program(
        _ name: String, _ script: String, _ use: @escaping @Sendable (ChildProcess) throws -> Void
    ) -> Case {
        Case("harness/a program, \(name)", count: 5) { _ in
            { try use(try ChildProcess("/bin/sh", arguments: ["-c", script], input: .pipe)) }
        }
    }

    private static func fails(_ body: () throws -> Void) throws {
        do { try body() } catch { return }
        throw Unexpected("no failure")
    }
}
