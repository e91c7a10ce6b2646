import Foundation
import Platform

/// What came of the steps of a trial.
extension Trial {
    /// What is found for a request: a version, or none.
    ///
    /// - Parameter stored: the request that was stored, where it is written otherwise than the one that is looked up.
    /// - Throws: ``PromiseBroken`` when a body is another's, or damaged.
    func lookUp(_ request: SubjectRequest, storedAs stored: SubjectRequest? = nil) throws -> UInt64? {
        note("look up \(request.text)")
        return try found(request, storedAs: stored)
    }

    /// The same without telling it.
    func found(_ request: SubjectRequest, storedAs stored: SubjectRequest? = nil) throws -> UInt64? {
        guard let body = try driven().lookUp(request) else { return nil }
        return try version(of: body, for: stored ?? request)
    }

    /// The version of a body that was found for a request.
    func version(of body: [UInt8], for request: SubjectRequest) throws -> UInt64 {
        guard let identity = body.withUnsafeBytes({ Payload.identity(of: $0) }) else {
            throw PromiseBroken("answered with damaged bytes, \(body.count) of them")
        }
        guard identity.key == Self.id(request) else {
            throw PromiseBroken("answered with the body of \(bodies[identity.key] ?? "something never stored")")
        }
        return identity.version
    }

    /// Whether the beginning of a body of a request, which holds nobody else's number, is in any file of the directory.
    func isOnDisk(_ request: SubjectRequest) -> Bool {
        let mark = withBody(request, bytes: Payload.headerCount, version: 1) { Data($0[8..<16]) }
        return FileBytes.files(in: directory).contains { _, path in
            (try? Data(contentsOf: URL(filePath: path)).range(of: mark)) != nil
        }
    }

    /// The sum of the lengths of all files in the directory, bytes.
    func bytesOnDisk() -> Int {
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
