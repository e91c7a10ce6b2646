// Invariant of the pointers: libcurl has the handle's address, unretained, and uses it only during a transfer, while
// the owner retains the handle.

import CSupport
import CurlTransport
import GaugeKit
import Platform
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// By libcurl's easy interface, on the calling thread.
final class CurlEasyFetch: Fetch {
    private let handle: CurlHandle
    private let perform: @convention(c) (CurlLibrary.Handle) -> Int32

    init(url: String) throws {
        handle = try CurlHandle(url: url)
        perform = try DynamicLibrary(["libcurl.so.4", "libcurl.4.dylib"]).function("curl_easy_perform")
    }

    func bytes(from url: String) -> Int {
        handle.clear()
        return perform(handle.easy) == Curl.ok ? handle.received : -1
    }
}

/// By libcurl's multi interface, driven by another thread that the caller wakes up and waits for.
///
/// `@unchecked Sendable`: the multi handle and the easy ones belong to the thread from the moment when `asked` is set
/// until `done` is signalled, and otherwise to the caller; `wakeUp` may be called from any.
final class CurlMultiFetch: Fetch, @unchecked Sendable {
    private let handles: [CurlHandle]
    private let multi: CurlLibrary.Handle
    private let library: CurlLibrary
    private let makesResponse: Bool
    private let asked = Locked(0)
    private let done = DispatchSemaphore(value: 0)
    /// Resumed in the place of `done`.
    private let waiting = Locked<UnsafeContinuation<Void, Never>?>(nil)

    /// - Parameter makesResponse: an `HTTPURLResponse` and a `Data` are made of each answer, as a session hands out.
    init(url: String, mostAtOnce: Int = 1, makesResponse: Bool = false) throws {
        handles = try (0..<mostAtOnce).map { _ in try CurlHandle(url: url, readsHeader: makesResponse) }
        library = try CurlLibrary.shared.get()
        self.makesResponse = makesResponse
        guard let multi = library.makeMulti() else { throw GaugeError("curl_multi_init failed") }
        self.multi = multi
        // Ends with the worker's process.
        Thread.detachNewThread { [self] in run() }
    }

    func bytes(from url: String) -> Int {
        guard makesResponse else { return bytes(from: url, atOnce: 1) }
        _ = bytes(from: url, atOnce: 1)
        guard let (response, data) = handles[0].response(to: url), response.statusCode == 200 else { return -1 }
        return data.count
    }

    func bytes(from url: String, atOnce count: Int) -> Int {
        ask(count)
        done.wait()
        return handles[..<count].reduce(0) { $0 + $1.received }
    }

    /// Fetches once, while the calling task is suspended.
    nonisolated(nonsending) func bytesForTask() async -> Int {
        await withUnsafeContinuation { continuation in
            waiting.withLock { $0 = continuation }
            ask(1)
        }
        return handles[0].received
    }

    private func ask(_ count: Int) {
        for handle in handles[..<count] { handle.clear() }
        asked.withLock { $0 = count }
        _ = library.wakeUp(multi)
    }

    private func run() {
        var underWay = 0
        while true {
            let begins = asked.withLock { asked in
                defer { asked = 0 }
                return asked
            }
            for handle in handles[..<begins] { _ = library.add(multi, handle.easy) }
            underWay += begins
            var running: Int32 = 0
            var left: Int32 = 0
            _ = library.perform(multi, &running)
            while let message = library.nextMessage(multi, &left) {
                guard message.pointee.kind == Curl.transferDone else { continue }
                _ = library.remove(multi, message.pointee.easy)
                underWay -= 1
                guard underWay == 0 else { continue }
                if let task = waiting.withLock({ $0.take() }) { task.resume() } else { done.signal() }
            }
            _ = library.poll(multi, nil, 0, 1_000, nil)
        }
    }
}

/// By libcurl's multi interface on a thread of its own, awaited by a task: what an asynchronous fetch costs at least.
struct CurlTaskFetch: Fetch {
    private let fetch: CurlMultiFetch
    private let executor = CallingThread()

    init(url: String) throws { fetch = try CurlMultiFetch(url: url) }

    func bytes(from url: String) -> Int {
        (try? executor.run { [fetch] in await fetch.bytesForTask() }) ?? -1
    }
}

/// An easy handle that copies a body into one array.
final class CurlHandle {
    let easy: CurlLibrary.Handle
    private var body: [UInt8]
    private(set) var received = 0
    private var fields: [String: String] = [:]

    /// - Parameter readsHeader: keeps the header fields, too.
    init(url: String, readsHeader: Bool = false) throws {
        let library = try CurlLibrary.shared.get()
        guard let easy = library.makeEasy() else { throw GaugeError("curl_easy_init failed") }
        self.easy = easy
        body = [UInt8](repeating: 0, count: 2 << 20)
        library.set(easy, .url, url)
        library.set(easy, .noSignal, 1)
        library.set(easy, .writeUser, Unmanaged.passUnretained(self).toOpaque())
        library.set(easy, .write) { bytes, size, count, user in
            CurlHandle.at(user)?.take(UnsafeRawBufferPointer(start: bytes, count: size * count)) ?? 0
        }
        guard readsHeader else { return }
        library.set(easy, .headerUser, Unmanaged.passUnretained(self).toOpaque())
        library.set(easy, .header) { bytes, size, count, user in
            CurlHandle.at(user)?.takeLine(UnsafeRawBufferPointer(start: bytes, count: size * count))
            return size * count
        }
    }

    func clear() {
        received = 0
        fields = [:]
    }

    /// What Foundation's callers get.
    func response(to url: String) -> (HTTPURLResponse, Data)? {
        guard let url = URL(string: url),
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: fields)
        else { return nil }
        return (response, Data(body[..<received]))
    }

    private static func at(_ user: UnsafeMutableRawPointer?) -> CurlHandle? {
        user.map { Unmanaged<CurlHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard received + bytes.count <= body.count else { return 0 }
        body.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[received...]).copyMemory(from: bytes) }
        received += bytes.count
        return bytes.count
    }

    private func takeLine(_ line: UnsafeRawBufferPointer) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), line.count > colon + 4 else { return }
        // A colon, a space before the value, and CR LF behind it, as this origin sends.
        fields[String(decoding: line[..<colon], as: UTF8.self)] = String(
            decoding: line[(colon + 2)..<(line.count - 2)], as: UTF8.self)
    }
}
