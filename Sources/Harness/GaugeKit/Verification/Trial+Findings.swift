import Foundation
import GaugeTraces
import Platform

extension Trial {
    /// Looks a request up and returns the version found, or `nil`.
    ///
    /// - Parameter stored: the stored request, if spelled differently.
    /// - Throws: ``PromiseBroken`` if the body is damaged or another request's.
    package func lookUp(_ request: SubjectRequest, storedAs stored: SubjectRequest? = nil) throws -> UInt64? {
        note("look up \(request.text)")
        return try found(request, storedAs: stored)
    }

    /// The same without noting the step.
    package func found(_ request: SubjectRequest, storedAs stored: SubjectRequest? = nil) throws -> UInt64? {
        guard let body = try driven().body(of: request) else { return nil }
        return try version(of: body, for: stored ?? request)
    }

    /// Looks entries of ``storeMany(_:bytes:after:)`` up; returns the numbers of those found.
    @discardableResult
    package func lookUpMany(_ numbers: some Sequence<Int>) throws -> [Int] {
        note("look all of them up")
        return try foundMany(numbers)
    }

    /// The same without noting the step.
    package func foundMany(_ numbers: some Sequence<Int>) throws -> [Int] {
        try numbers.filter { try found(Self.many($0)) != nil }
    }

    package func version(of body: [UInt8], for request: SubjectRequest) throws -> UInt64 {
        guard let identity = body.withUnsafeBytes({ Payload.identity(of: $0) }) else {
            throw PromiseBroken("answered with damaged bytes, \(body.count) of them")
        }
        guard identity.key == Self.id(request) else {
            throw PromiseBroken("answered with the body of \(bodies[identity.key] ?? "something never stored")")
        }
        return identity.version
    }

    /// Whether any file in the directory contains the beginning of the request's body, which no other request has.
    package func isOnDisk(_ request: SubjectRequest) -> Bool { !files(of: request).isEmpty }

    /// The files that contain the beginning of the request's body.
    package func files(of request: SubjectRequest) -> [String] {
        let mark = withBody(request, bytes: Payload.headerCount, version: 1) { Data($0[8..<16]) }
        return FileBytes.files(in: directory).filter { _, path in
            (try? Data(contentsOf: URL(filePath: path)).range(of: mark)) != nil
        }.map(\.name)
    }

    /// The files beside the directory, where only this trial has any.
    func filesElsewhere() -> Set<String> {
        Set(FileBytes.files(in: parent).map(\.path).filter { !$0.hasPrefix(directory + "/") })
    }

    /// The total length of all files in the directory, bytes.
    package func bytesOnDisk() -> Int {
        let files = FileManager.default.enumerator(atPath: directory)
        var bytes = 0
        while let name = files?.nextObject() as? String {
            var status = stat()
            guard stat("\(directory)/\(name)", &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            bytes += Int(status.st_size)
        }
        return bytes
    }
}

/// A directory's files, for damaging them.
package enum FileBytes {
    /// The regular files below a directory that aren't empty, by name.
    package static func files(in directory: String) -> [(name: String, path: String)] {
        let names = (try? FileManager.default.subpathsOfDirectory(atPath: directory)) ?? []
        return names.sorted().map { ($0, "\(directory)/\($0)") }.filter { _, path in
            let attributes = try? FileManager.default.attributesOfItem(atPath: path)
            return attributes?[.type] as? FileAttributeType == .typeRegular && (attributes?[.size] as? Int ?? 0) > 0
        }
    }

    /// The length of a file, bytes; 0 if there is none.
    static func length(_ path: String) -> Int {
        (try? FileManager.default.attributesOfItem(atPath: path))?[.size] as? Int ?? 0
    }

    package static func read(_ path: String) throws -> [UInt8] { Array(try Data(contentsOf: URL(filePath: path))) }

    package static func write(_ bytes: [UInt8], to path: String) throws {
        try Data(bytes).write(to: URL(filePath: path))
    }
}
