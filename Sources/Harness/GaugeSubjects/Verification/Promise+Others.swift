extension Promise {
    /// Promises about metadata and concurrent use.
    package static let others = [
        Promise("user-info", "property-list values are stored with an entry", needs: [.userInfo, .memory]) { trial in
            for userInfo in userInfos {
                try trial.begin()
                let request = SubjectRequest("https://a.example/p")
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
                let request = SubjectRequest("https://a.example/p")
                try trial.store(request, userInfo: userInfo)
                try trial.close()
                try trial.open(memory: 0, disk: 1 << 20)
                let found = try trial.userInfo(request)
                try expect(found == userInfo, "found \(found.map { "\($0)" } ?? "none")")
            }
        },
        // Few threads and keys first, so that a failure is found with the smallest numbers that cause it.
        Promise("concurrent", "an answer is a version that was current during the call", needs: .threads) { trial in
            for threads in [2, 4] {
                try trial.begin(memory: 1 << 20, disk: 0)
                try ConcurrentTrial(trial.driven(), trial, threads: threads).run()
            }
        },
        Promise(
            "concurrent-evicting", "an answer is a version that was current, even while both tiers evict",
            needs: [.threads, .disk, .memory, .capacity]
        ) { trial in
            try trial.begin(memory: 50_000, disk: 100_000)
            try ConcurrentTrial(trial.driven(), trial, threads: 3, keys: 60, operations: 300).run()
        },
    ]

    /// From simple to involved.
    private static let userInfos: [[String: PropertyValue]] = [
        ["text": .text("é")], ["number": .whole(7)], ["data": .data([0, 255])],
        ["list": .list([.whole(1), .text("b")])], ["table": .table(["inner": .list([.data([1])])])],
    ]
}
