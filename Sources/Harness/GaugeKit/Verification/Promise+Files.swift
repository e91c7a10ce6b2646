import Platform

extension Promise {
    private static let disk = 1 << 20

    /// Promises about the files on disk.
    package static let files = [
        Promise("persistent", "an entry survives the process", needs: [.disk, .persistence]) { trial in
            let request = SubjectRequest("https://a.example/p?v=1")
            try stored(trial, [request])
            try expect(try trial.lookUp(request) == 1, "found nothing")
        },
        Promise("persistent-overwritten", "the last version survives", needs: [.disk, .persistence]) { trial in
            try trial.begin(memory: 0, disk: disk)
            try trial.store(request)
            try trial.store(request, version: 2)
            try trial.closeAndOpen(memory: 0, disk: disk)
            try expect(try trial.lookUp(request) == 2, "not the second version")
        },
        Promise("persistent-removed", "a removed entry does not come back", needs: [.disk, .persistence]) { trial in
            try trial.begin(memory: 0, disk: disk)
            try trial.store(request)
            try trial.remove(request)
            try trial.closeAndOpen(memory: 0, disk: disk)
            try expect(try trial.lookUp(request) == nil, "found it")
        },
        Promise("persistent-long", "a URL of 600 characters is stored like any other", needs: [.disk, .persistence]) {
            trial in
            // Short to long, so that the first lost URL is the shortest.
            for length in [50, 100, 150, 200, 300, 600] {
                let request = SubjectRequest("https://a.example/" + String(repeating: "x", count: length - 18))
                try stored(trial, [request])
                try expect(try trial.lookUp(request) == 1, "found nothing, at a URL of \(length) characters")
                trial.clean()
            }
        },
        Promise(
            "persistent-any", "a URL with letters beyond ASCII, or with any sign, is stored like any other",
            needs: [.disk, .persistence]
        ) {
            trial in
            // At each of three offsets: file names are often base64, whose alphabet can include the slash.
            for path in ["o%C3%A9", "xo%C3%A9", "xxo%C3%A9", "%3F", "x%3F", "xx%3F"] + signs {
                let request = SubjectRequest("https://a.example/\(path)")
                try stored(trial, [request])
                try expect(try trial.lookUp(request) == 1, "found nothing")
                trial.clean()
            }
        },
        Promise("two-owners", "two owners of one directory do not destroy it", needs: [.disk, .persistence]) { trial in
            try trial.begin(memory: 0, disk: disk)
            try trial.storeMany(0..<10, bytes: 1_000)
            let second: any CacheSubject
            // A clear error is allowed: then there's only one owner.
            do { second = try trial.openSecond(memory: 0, disk: disk) } catch { return }
            trial.note("store …/5 to …/14 again by the second, version 2, and by the first …/0 to …/9, version 3")
            for number in 0..<10 {
                let (mine, theirs) = (Trial.many(number), Trial.many(number + 5))
                try trial.withBody(theirs, bytes: 1_200, version: 2) { try second.store(theirs, $0) }
                try trial.withBody(mine, bytes: 1_100, version: 3) { try trial.driven().store(mine, $0) }
            }
            try second.settle()
            try trial.closeAndOpen(memory: 0, disk: disk)
            try trial.lookUpMany(0..<15)
        },
        Promise(
            "damaged-name", "a file under the name of another serves no other body", needs: [.disk, .persistence]
        ) { try checkNames($0) },
        damaged("damaged-bit", "a flipped bit in a file serves no wrong byte", trials: 150) { bytes, random in
            // Preallocated files are mostly zeros, and flipping those shows nothing.
            let places = bytes.indices.filter { bytes[$0] != 0 }
            guard !places.isEmpty else { return "nothing is in it" }
            let place = places[Int(random.next(below: UInt64(places.count)))]
            let bit = Int(random.next(below: 8))
            bytes[place] ^= 1 << UInt8(bit)
            return "flip bit \(bit) of byte \(place)"
        },
        damaged("damaged-cut", "a file that was cut short serves no wrong byte", trials: 20) { bytes, random in
            let last = bytes.lastIndex { $0 != 0 } ?? 0
            let length = Int(random.next(below: UInt64(last + 1)))
            bytes.removeLast(bytes.count - length)
            return "cut it to \(length) bytes"
        },
    ]

    /// Signs with a meaning in index lines, file names and patterns.
    private static let signs = ["!", "$&", "'", "()", "*", "+", ",", ";", "=", ":@", "-._~", "?a=1,2;b='/?:@'&*"]

    /// Stores the requests, then reopens the subject.
    private static func stored(_ trial: Trial, _ requests: [SubjectRequest]) throws {
        try trial.begin(memory: 0, disk: disk)
        for request in requests { try trial.store(request) }
        try trial.closeAndOpen(memory: 0, disk: disk)
    }

    /// Swaps the files of two entries, as if both had the same name: a key's hash, or a part of it.
    static func checkNames(_ trial: Trial) throws {
        let (one, other) = (SubjectRequest("https://a.example/1"), SubjectRequest("https://a.example/2"))
        try trial.begin(memory: 0, disk: disk)
        for request in [one, other] { try trial.store(request) }
        try trial.close()
        let files = [one, other].map(trial.files(of:))
        try require(
            files.allSatisfy({ $0.count == 1 }) && files[0] != files[1], "it does not keep each entry in a file")
        let paths = files.map { "\(trial.directory)/\($0[0])" }
        trial.note("exchange the files \(files[0][0]) and \(files[1][0])")
        let bytes = try paths.map { try FileBytes.read($0) }
        for (path, bytes) in zip(paths, bytes.reversed()) { try FileBytes.write(bytes, to: path) }
        // Refusing to open is allowed.
        guard (try? trial.open(memory: 0, disk: disk)) != nil else { return }
        do { _ = try trial.lookUp(one) } catch let broken as PromiseBroken {
            // 22 letters of base64 are 128 bits.
            try require(
                files[0][0].split(separator: "/").joined().count < 22,
                "the names of its files are long enough to be told apart")
            throw broken
        }
    }

    private static func damaged(
        _ name: String, _ summary: String, trials: Int,
        _ damage: @escaping @Sendable (inout [UInt8], inout Xoshiro256) -> String
    ) -> Promise {
        Promise(name, summary, needs: [.disk, .persistence]) { trial in
            var random = Xoshiro256(seed: 1, "damage")
            for _ in 0..<trials {
                try trial.begin(memory: 0, disk: 1 << 18)
                try trial.store(request)
                try trial.close()
                let files = FileBytes.files(in: trial.directory)
                try require(!files.isEmpty, "it leaves no file")
                let file = files[Int(random.next(below: UInt64(files.count)))]
                var bytes = try FileBytes.read(file.path)
                let done = damage(&bytes, &random)
                trial.note("in the file \(file.name): \(done)")
                try FileBytes.write(bytes, to: file.path)
                // Refusing to open is allowed.
                guard (try? trial.open(memory: 0, disk: 1 << 18)) != nil else { continue }
                _ = try trial.lookUp(request)
                trial.clean()
            }
        }
    }
}
