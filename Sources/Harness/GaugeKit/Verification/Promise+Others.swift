extension Promise {
    /// Promises about metadata, hooks, the shared cache and concurrent use.
    package static let others = [
        Promise("user-info", "property-list values are stored with an entry", needs: .userInfo) { trial in
            for userInfo in userInfos {
                try trial.begin()
                try trial.store(request, userInfo: userInfo)
                let found = try trial.userInfo(request)
                try expect(found == userInfo, "found \(found.map { "\($0)" } ?? "none")")
            }
        },
        Promise(
            "user-info-persistent", "property-list values survive the process",
            needs: [.userInfo, .disk, .persistence]
        ) { trial in
            for userInfo in userInfos {
                try trial.begin(memory: 0, disk: 1 << 20)
                try trial.store(request, userInfo: userInfo)
                try trial.closeAndOpen(memory: 0, disk: 1 << 20)
                let found = try trial.userInfo(request)
                try expect(found == userInfo, "found \(found.map { "\($0)" } ?? "none")")
            }
        },
        Promise(
            "user-info-object", "metadata that is not a property list is found again whole, or the entry is not",
            needs: [.userInfo, .memory]
        ) { trial in
            let disk = trial.capabilities.isSuperset(of: [.disk, .persistence]) ? 1 << 20 : 0
            let userInfo: [String: PropertyValue] = ["text": .text("a"), "object": .object(7)]
            try trial.begin(disk: disk)
            try trial.store(request, userInfo: userInfo)
            try expectWhole(trial, request, userInfo)
            try trial.closeAndOpen(memory: 1 << 20, disk: disk)
            try expectWhole(trial, request, userInfo)
        },
        Promise(
            "key-hook", "the text that a hook adds to a request's key tells its responses apart",
            needs: [.requests, .keyHook]
        ) { trial in
            func request(_ account: String) -> SubjectRequest {
                SubjectRequest("https://a.example/p", fields: [HeaderField("X-Account", account)])
            }
            try trial.begin(keyField: "X-Account")
            try trial.store(request("1"))
            try expect(try trial.lookUp(request("2")) == nil, "found another account's")
            try expect(try trial.lookUp(SubjectRequest("https://a.example/p")) == nil, "found it without an account")
            try trial.store(request("2"))
            try expect(try trial.lookUp(request("1")) == 1, "the other account's overwrote it")
            try trial.remove(request("1"))
            try expect(try trial.lookUp(request("1")) == nil, "found it, although it was removed")
            try expect(try trial.lookUp(request("2")) == 1, "the other account's removal removed it")
        },
        Promise("shared", "the shared cache is the one that was set last", needs: [.memory, .shared]) { trial in
            try trial.begin(isShared: true)
            try trial.store(request)
            try expect(try trial.lookUp(request) == 1, "found nothing")
            let second = try trial.openSecond(memory: 1 << 20, disk: 0)
            trial.note("look \(request.url) up in the second")
            try expect(try second.body(of: request) == nil, "found what the first has stored")
        },
        // Few threads and keys first, to find a failure with the smallest numbers that cause it.
        Promise("concurrent", "an answer is a version that was current during the call", needs: .threads) { trial in
            for (threads, pauses) in [(2, nil), (4, nil), (2, 1), (4, 2)] as [(Int, UInt64?)] {
                try trial.begin()
                try ConcurrentTrial(trial, threads: threads, pauses: pauses).run(seconds: pauses == nil ? 3 : 1)
            }
        },
        Promise(
            "concurrent-evicting", "an answer is a version that was current, even while both tiers evict",
            needs: [.threads, .disk, .memory, .capacity]
        ) { trial in
            for pauses in [nil, 1] as [UInt64?] {
                try trial.begin(memory: 50_000, disk: 100_000)
                try ConcurrentTrial(
                    trial, threads: 3, keys: 60, operations: pauses == nil ? 300 : 3_000, pauses: pauses
                ).run(seconds: pauses == nil ? 3 : 1)
            }
        },
    ]

    private static func expectWhole(
        _ trial: Trial, _ request: SubjectRequest, _ userInfo: [String: PropertyValue]
    ) throws {
        guard try trial.lookUp(request) != nil else { return }
        let found = try trial.userInfo(request)
        try expect(found == userInfo, "found \(found.map { "\($0)" } ?? "none")")
    }

    /// From simple to complicated.
    private static let userInfos: [[String: PropertyValue]] = [
        ["text": .text("é")], ["number": .whole(7)], ["data": .data([0, 255])],
        ["list": .list([.whole(1), .text("b")])], ["table": .table(["inner": .list([.data([1])])])],
        ["text": .text("é"), "number": .whole(7), "data": .data([0, 255])],
    ]
}
