import Foundation
import Platform
import Testing

@testable import GaugeSupport

/// The output of children as it arrives, in pieces of any length.
@Suite("Output of children") struct OutputBufferTests {
    private func append(_ text: some Sequence<UInt8>, _ body: (UnsafeRawBufferPointer) -> Void) {
        Array(text).withUnsafeBytes(body)
    }

    @Test("lines come out whole and in order, however the output was cut") func lines() {
        var random = Xoshiro256(seed: 41)
        for _ in 0..<200 {
            let lines = (0..<random.next(below: 6)).map { _ in
                (0..<random.next(below: 5)).map { _ in UInt8(97 + random.next(below: 3)) }
            }
            let rest = (0..<random.next(below: 4)).map { _ in UInt8(ascii: "z") }
            var output = lines.flatMap { $0 + [UInt8(ascii: "\n")] } + rest
            var buffer = LineBuffer()
            var found: [[UInt8]] = []
            while !output.isEmpty {
                let count = 1 + Int(random.next(below: UInt64(output.count)))
                append(output.prefix(count)) { buffer.append($0) }
                output.removeFirst(count)
                while random.next(below: 4) > 0, let line = buffer.next() { found.append(line) }
            }
            while let line = buffer.next() { found.append(line) }
            #expect(found == lines && buffer.pending == rest.count)
        }
    }

    @Test("the end of an output is kept, and is cut to its length at more than twice that") func tail() {
        var tail = OutputTail(length: 4)
        append("abcdefghi".utf8) { tail.append($0) }
        #expect(tail.text == "abcdefghi")
        append("j".utf8) { tail.append($0) }
        #expect(tail.text == "ghij")
        append("k".utf8) { tail.append($0) }
        #expect(tail.text == "ghijk")
    }

    @Test("a pipe that is full is waited for, and all bytes arrive") func fullPipe() throws {
        let pipe = try ChildPipe()
        _ = fcntl(pipe.writeEnd, F_SETFL, O_NONBLOCK)
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        let writer = Thread {
            try? writeAll(bytes, to: pipe.writeEnd)
            close(pipe.writeEnd)
        }
        writer.start()
        var read: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Platform.read(pipe.readEnd, &chunk, chunk.count)
            guard count > 0 else { break }
            read += chunk[..<count]
        }
        close(pipe.readEnd)
        #expect(read == bytes)
    }
}
