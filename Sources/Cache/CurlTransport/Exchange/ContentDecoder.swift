// Invariant of the pointers: buffers are lent for one call; `inputStart` is at most `input.count`.

import Foundation
import HTTPSemantics
import Platform

/// Undoes the content coding of a body (RFC 9110, section 8.4), gzip or deflate, part by part.
///
/// The caller says how much room it has, so a small coded body cannot fill the memory. Input that must wait is kept.
struct ContentDecoder {
    struct Failure: Error {
        let reason: String
    }

    private enum Place {
        case beginning
        case within(Inflater)
        /// Behind a gzip file; another one may follow.
        case betweenFiles
        /// Behind the end. Further bytes are ignored, as browsers and gzip do.
        case behind
    }

    private let isGzip: Bool
    private var place = Place.beginning
    private var input: [UInt8] = []
    private var inputStart = 0
    /// The last output filled all the room.
    private var mayHoldMore = false

    /// A decoder for an answer's body; `nil` if it has no coding, another one, or several, and is handed out as it
    /// comes.
    init?(_ response: HTTPResponse) {
        // A part of a coded body cannot be decoded on its own.
        guard response.status != 206, let field = response.headerFields["Content-Encoding"], Inflater.isAvailable else {
            return nil
        }
        let codings = field.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces).lowercased() }
            .filter { !$0.isEmpty && $0 != "identity" }
        switch codings {
        case ["gzip"], ["x-gzip"]: isGzip = true
        case ["deflate"]: isGzip = false
        default: return nil
        }
    }

    /// The value of `Accept-Encoding` for the codings above; `nil` if zlib is missing.
    static let acceptEncoding = Inflater.isAvailable ? "gzip, deflate" : nil

    /// An application's `Accept-Encoding` without the codings that we can't undo: it expects decoded bytes, as from
    /// URLSession.
    static func undoable(_ accepted: String) -> [UInt8] {
        let undone: Set = Inflater.isAvailable ? ["gzip", "x-gzip", "deflate", "identity", ""] : ["identity", ""]
        let members = accepted.split(separator: ",", omittingEmptySubsequences: false).filter { member in
            let coding = member.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
            return undone.contains(coding)
        }
        let left = members.joined(separator: ",").trimmingCharacters(in: .whitespaces)
        return Array((members.isEmpty ? "identity" : left).utf8)
    }

    /// Nothing has been decoded. An empty body is no coded stream, but origins send it all the same.
    var isUntouched: Bool { if case .beginning = place { true } else { false } }

    /// `decode` has more to do.
    var hasInput: Bool { inputStart < input.count || mayHoldMore }

    /// Adds input. Call it only when none waits.
    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        input = Array(bytes)
        inputStart = 0
    }

    /// Decodes the waiting input into at most `room` bytes.
    mutating func decode(room: Int) throws(Failure) -> [UInt8] {
        var output: [UInt8] = []
        while hasInput, output.count < room {
            switch place {
            case .beginning: try begin()
            case .within(let inflater): try inflate(inflater, into: &output, room: room - output.count)
            case .betweenFiles: if input[inputStart] == 0x1F { try begin() } else { place = .behind }
            case .behind: inputStart = input.count
            }
        }
        return output
    }

    /// The end of the body.
    ///
    /// - Throws: if the coded stream has not ended.
    func finish() throws(Failure) {
        if case .within = place { throw Failure(reason: "the body ends within its content coding") }
    }

    private mutating func begin() throws(Failure) {
        // A zlib stream begins with its method, 8, and a window of at most 32 KB; some origins send raw deflate
        // instead.
        let isZlib = input[inputStart] & 0x0F == 8 && input[inputStart] >> 4 <= 7
        guard let inflater = Inflater(isGzip ? .gzip : isZlib ? .zlib : .rawDeflate) else {
            throw Failure(reason: "zlib has no memory for decoding")
        }
        place = .within(inflater)
    }

    private mutating func inflate(_ inflater: Inflater, into output: inout [UInt8], room: Int) throws(Failure) {
        let size = min(room, Self.step)
        var step = (read: 0, written: 0, isAtEnd: false)
        var isCorrupt = false
        let part = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
            let target = UnsafeMutableRawBufferPointer(rebasing: UnsafeMutableRawBufferPointer(buffer)[..<size])
            input.withUnsafeBytes { bytes in
                do {
                    step = try inflater.inflate(UnsafeRawBufferPointer(rebasing: bytes[inputStart...]), into: target)
                } catch {
                    isCorrupt = true
                }
            }
            count = step.written
        }
        guard !isCorrupt else { throw Failure(reason: "the body is not of its content coding") }
        inputStart += step.read
        mayHoldMore = step.written == size && !step.isAtEnd
        if output.isEmpty { output = part } else { output += part }
        if step.isAtEnd { place = isGzip ? .betweenFiles : .behind }
    }

    /// How many bytes are decoded at once.
    private static let step = 64 << 10
}

extension HTTPResponse {
    /// The header of an answer whose body we decode: length and coding were those of the coded bytes, whose ranges
    /// can't be requested any more.
    package var decoded: HTTPResponse {
        var response = self
        response.headerFields["Content-Encoding"] = nil
        response.headerFields["Content-Length"] = nil
        response.headerFields["Accept-Ranges"] = "none"
        return response
    }
}
