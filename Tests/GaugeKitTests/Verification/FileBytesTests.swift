import Foundation
import TestSupport
import Testing

@testable import GaugeKit

@Suite("Files to be damaged") struct FileBytesTests {
    @Test("regular files with contents are listed by their names, those of folders below included") func listed() throws
    {
        let scratch = try ScratchDirectory()
        // Made in an order that differs from that of the names.
        let numbers = (0..<60).map { 100 + $0 * 37 % 60 }
        try FileManager.default.createDirectory(
            atPath: "\(scratch.path)/below/empty", withIntermediateDirectories: true)
        for number in numbers {
            let folder = number % 2 == 0 ? "below/" : ""
            try FileBytes.write([UInt8](repeating: 1, count: number), to: "\(scratch.path)/\(folder)\(number)")
        }
        try FileBytes.write([], to: "\(scratch.path)/nothing")
        try FileManager.default.createSymbolicLink(
            atPath: "\(scratch.path)/link", withDestinationPath: "\(scratch.path)/101")
        let odd = (100..<160).filter { $0 % 2 == 1 }.map { "\($0)" }
        let even = (100..<160).filter { $0 % 2 == 0 }.map { "below/\($0)" }
        let files = FileBytes.files(in: scratch.path)
        #expect(files.map(\.name) == odd + even)
        #expect(files.map(\.path) == (odd + even).map { "\(scratch.path)/\($0)" })
        #expect(
            files.map { FileBytes.length($0.path) } == Array(stride(from: 101, to: 160, by: 2))
                + Array(stride(from: 100, to: 160, by: 2)))
        #expect(FileBytes.length("\(scratch.path)/missing") == 0)
        #expect(FileBytes.files(in: "\(scratch.path)/missing").isEmpty)
    }

    @Test("bytes are read as they were written, instead of those before") func bytes() throws {
        let scratch = try ScratchDirectory()
        let path = "\(scratch.path)/file"
        for bytes in [[1, 2, 3], [], [255, 0]] as [[UInt8]] {
            try FileBytes.write(bytes, to: path)
            #expect(try FileBytes.read(path) == bytes && FileBytes.length(path) == bytes.count)
        }
        #expect(throws: (any Error).self) { try FileBytes.read("\(scratch.path)/missing") }
    }
}
