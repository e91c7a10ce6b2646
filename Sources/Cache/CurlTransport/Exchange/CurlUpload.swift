// Invariant of the pointers: libcurl lends the buffer for the call of `read`, which copies at most its count.

import HTTPCache
import Platform

/// A request's body on its way to libcurl's thread.
///
/// Only that thread uses it, unless noted.
final class CurlUpload {
    private enum Source {
        case bytes([UInt8])
        case stream(StreamedUpload)
    }

    enum Reading {
        case bytes(Int)
        /// Nothing has come yet.
        case wait
        case failed(any Error)
    }

    struct WrongLength: Error, CustomStringConvertible {
        let announced: Int64
        let isLonger: Bool

        var description: String {
            "the request's body is \(isLonger ? "longer" : "shorter") than the \(announced) bytes announced for it"
        }
    }

    private let source: Source
    private var offset = 0
    /// Bytes in all; `nil` if unknown.
    let byteCount: Int64?

    /// - Parameter onBytes: called on any thread when a stream that had to be waited for has bytes, or has ended.
    init(_ body: RequestBody, onBytes: @escaping @Sendable () -> Void) {
        switch body {
        case .bytes(let bytes):
            source = .bytes(bytes)
            byteCount = Int64(bytes.count)
        case .stream(let stream, let length):
            source = .stream(StreamedUpload(stream, onBytes: onBytes))
            byteCount = length.flatMap { $0 < 0 ? nil : $0 }
        }
    }

    deinit {
        if case .stream(let stream) = source { stream.cancel() }
    }

    /// Copies the next bytes; 0 of them at the end.
    ///
    /// libcurl sends all it is given. The origin would read bytes beyond the announced length as another request, and
    /// wait for missing ones (RFC 9112, section 6.3).
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Reading {
        switch source {
        case .bytes(let bytes):
            let count = min(buffer.count, bytes.count - offset)
            bytes.withUnsafeBytes {
                buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[offset..<offset + count]))
            }
            offset += count
            return .bytes(count)
        case .stream(let stream):
            // Newer versions of libcurl ask for no byte beyond the announced length, and would send only the start.
            if let byteCount, Int64(offset) + Int64(stream.countAtHand) > byteCount {
                return .failed(WrongLength(announced: byteCount, isLonger: true))
            }
            let reading = stream.read(into: buffer)
            guard case .bytes(let count) = reading else { return reading }
            offset += count
            guard let byteCount, count == 0 ? offset < byteCount : offset > byteCount else { return reading }
            return .failed(WrongLength(announced: byteCount, isLonger: count > 0))
        }
    }

    /// Starts again at `offset`, if that is possible.
    func seek(to offset: Int64) -> Bool {
        switch source {
        case .bytes(let bytes):
            guard 0...Int64(bytes.count) ~= offset else { return false }
            self.offset = Int(offset)
            return true
        case .stream: return offset == Int64(self.offset)
        }
    }
}

/// A request's body that a task of this object reads, one part ahead of libcurl.
private final class StreamedUpload: Sendable {
    private struct State {
        var part: ArraySlice<UInt8> = []
        var end: Result<Void, any Error>?
        var reader: Task<Void, Never>?
    }

    private let state = Locked(State())
    private let isTaken = AutoResetEvent()
    private let onBytes: @Sendable () -> Void

    init(_ stream: any RequestBodyStream, onBytes: @escaping @Sendable () -> Void) {
        self.onBytes = onBytes
        let reader = Task { [self] in await read(stream) }
        state.withLock { $0.reader = reader }
    }

    func cancel() { state.withLock { $0.reader.take() }?.cancel() }

    private func read(_ stream: any RequestBodyStream) async {
        do {
            while !Task.isCancelled, let part = try await stream.next() {
                guard !part.isEmpty else { continue }
                state.withLock { $0.part = part[...] }
                onBytes()
                while !Task.isCancelled, state.withLock({ !$0.part.isEmpty }) { await isTaken.wait() }
            }
            state.withLock { $0.end = .success(()) }
        } catch {
            state.withLock { $0.end = .failure(error) }
        }
        onBytes()
    }

    /// How many bytes have come and are not read yet.
    var countAtHand: Int { state.withLock { $0.part.count } }

    func read(into buffer: UnsafeMutableRawBufferPointer) -> CurlUpload.Reading {
        let (reading, isEmpty): (CurlUpload.Reading, Bool) = state.withLock { state in
            let count = min(buffer.count, state.part.count)
            if count > 0 {
                state.part.withUnsafeBytes { buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[..<count])) }
                state.part = state.part.dropFirst(count)
                return (.bytes(count), state.part.isEmpty)
            }
            switch state.end {
            case .success: return (.bytes(0), false)
            case .failure(let error): return (.failed(error), false)
            case nil: return (.wait, false)
            }
        }
        if isEmpty { isTaken.set() }
        return reading
    }
}
