// Invariant of the pointers: libcurl has the handle's address, unretained, and uses it only during a transfer, while
// the owner retains the handle.

import CSupport
import CurlTransport
import GaugeKit
import Platform
import Foundation

/// By libcurl's easy interface, on the calling thread.
final class CurlEasyFetch: Fetch {
    private let handle: CurlHandle
    private let perform: @convention(c) (CurlLibrary.Handle) -> Int32

    init(url: String) throws {
        handle = try CurlHandle(url: url)
        perform = try DynamicLibrary(["libcurl.so.4", "libcurl.4.dylib"]).function("curl_easy_perform")
    }

    func bytes(from url: String) -> Int {
        handle.received = 0
        return perform(handle.easy) == Curl.ok ? handle.received : -1
    }
}

/// By libcurl's multi interface, driven by another thread that the caller wakes up and waits for.
///
/// `@unchecked Sendable`: the multi handle and the easy one belong to the thread; `wakeUp` may be called from any.
final class CurlMultiFetch: Fetch, @unchecked Sendable {
    private let handle: CurlHandle
    private let multi: CurlLibrary.Handle
    private let library: CurlLibrary
    private let isAsked = Locked(false)
    private let done = DispatchSemaphore(value: 0)

    init(url: String) throws {
        handle = try CurlHandle(url: url)
        library = try CurlLibrary.shared.get()
        guard let multi = library.makeMulti() else { throw GaugeError("curl_multi_init failed") }
        self.multi = multi
        // Ends with the worker's process.
        Thread.detachNewThread { [self] in run() }
    }

    func bytes(from url: String) -> Int {
        handle.received = 0
        isAsked.withLock { $0 = true }
        _ = library.wakeUp(multi)
        done.wait()
        return handle.received
    }

    private func run() {
        while true {
            let begins = isAsked.withLock { isAsked in
                defer { isAsked = false }
                return isAsked
            }
            if begins { _ = library.add(multi, handle.easy) }
            var running: Int32 = 0
            var left: Int32 = 0
            _ = library.perform(multi, &running)
            while let message = library.nextMessage(multi, &left) {
                guard message.pointee.kind == Curl.transferDone else { continue }
                _ = library.remove(multi, handle.easy)
                done.signal()
            }
            _ = library.poll(multi, nil, 0, 1_000, nil)
        }
    }
}

/// An easy handle that copies a body into one array.
final class CurlHandle {
    let easy: CurlLibrary.Handle
    private var body = [UInt8](repeating: 0, count: 2 << 20)
    var received = 0

    init(url: String) throws {
        let library = try CurlLibrary.shared.get()
        guard let easy = library.makeEasy() else { throw GaugeError("curl_easy_init failed") }
        self.easy = easy
        library.set(easy, .url, url)
        library.set(easy, .noSignal, 1)
        library.set(easy, .writeUser, Unmanaged.passUnretained(self).toOpaque())
        library.set(easy, .write) { bytes, size, count, user in
            guard let user, let bytes else { return 0 }
            let handle = Unmanaged<CurlHandle>.fromOpaque(user).takeUnretainedValue()
            return handle.take(UnsafeRawBufferPointer(start: bytes, count: size * count))
        }
    }

    private func take(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard received + bytes.count <= body.count else { return 0 }
        body.withUnsafeMutableBytes { UnsafeMutableRawBufferPointer(rebasing: $0[received...]).copyMemory(from: bytes) }
        received += bytes.count
        return bytes.count
    }
}
