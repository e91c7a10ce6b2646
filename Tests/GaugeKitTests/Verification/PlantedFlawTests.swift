import Platform
import PlantedGauge
import TestSupport
import Testing

@testable import GaugeKit
@testable import GaugeMeasurement

@Suite("Planted flaws") struct PlantedFlawTests {
    /// The promises of fixed steps that a cache with a flaw breaks, with their reasons.
    private func broken(_ flaw: Flaw) throws -> [String: String] {
        var broken: [String: String] = [:]
        for promise in Promise.fixed {
            let scratch = try ScratchDirectory()
            let verdict = verdict(promise, flaw, scratch)
            if case .broken(let reason) = verdict { broken[promise.name] = reason }
        }
        return broken
    }

    /// The verdict by a clock that advances with its readings and with waiting.
    private func verdict(_ promise: Promise, _ flaw: Flaw, _ scratch: borrowing ScratchDirectory) -> PromiseVerdict {
        // A third of it is processor time for 4,096 stores, of which each takes a millisecond at most.
        var model = ModelSettings()
        model.seconds = nightly(60, else: 12)
        return Flaw.$current.withValue(flaw) {
            withSteppedTime { clock in
                promise.verdict(
                    Trial(FlawedCache.self, parent: scratch.path, clock: clock, heapInUse: { nil }, model: model) { _ in
                    })
            }
        }
    }

    /// Each flaw with a promise that it breaks.
    static let flaws: [(flaw: Flaw, promise: String)] = [
        (Flaw.memoryTenth, "usage-memory"), (.diskTenth, "usage-disk"), (.storesHead, "method-head"),
        (.storesPut, "method-put"), (.storesDelete, "method-delete"), (.port80, "key-default-port-http"),
        (.schemeCase, "key-scheme-case"), (.emptyPath, "key-empty-path"), (.dropsPort, "key-other-port"),
        (.decodesPercent, "key-percent"), (.decodesQuestionMark, "key-encoded-query"),
        (.dropsQuestionMark, "key-empty-query"), (.absentVary, "vary-absent"), (.starVary, "vary-star"),
        (.keepsFiles, "removed-all"), (.replacementFirst, "replaced-place"),
        (.promotionKeepsPlace, "promoted-place"), (.firstLimit, "too-large-resized"),
        (.negativeCapacity, "capacity-negative"), (.uncheckedMetadata, "damaged-user-info"),
        (.ignoresGrowth, "memory-raised"), (.ignoresDiskGrowth, "disk-raised"), (.dropsSlash, "key-slash"),
        (.mergesSlashes, "key-slashes"), (.dropsWWW, "key-host"),
        (.decodesPlus, "key-plus"), (.lastParameter, "key-repeated"), (.keepsOneValue, "user-info"),
        (.forgetsFiles, "disk-held"), (.forgetsFiles, "usage-disk"), (.countsReplacedBytes, "usage-disk"),
        (.tellsMemory, "told-tier"),
        (.tellsMemory, "told-memory"), (.tellsEviction, "told-eviction"), (.dropsObjects, "user-info-object"),
        (.ignoresHook, "key-hook"), (.keepsShared, "shared"),
        (.hidesEvictions, "told-evictions"), (.countsEvictionsTwice, "counted-evictions"),
        (.evictsNewestFile, "stored-last-disk"), (.neverExpires, "expired"), (.replacementKeepsDate, "expired"),
        (.forgetsDates, "expired-reopened"), (.countsExpired, "expired"), (.storesAll, "too-large"),
        (.ignoresValues, "key-value"), (.sortsParameters, "key-order"), (.dropsEquals, "key-no-value"),
        (.dropsEmptyParameter, "key-empty-parameter"), (.queryCase, "key-query-case"),
        (.dropsCampaign, "key-campaign"), (.losesEmpty, "empty-body"), (.lendsEntry, "caller-copy"),
        (.hitKeepsPlace, "used-kept"),
        (.tellsDiskAtTimes, "told-tier"), (.tellsReplacement, "told-eviction"),
        (.hidesEvictionsOfShard, "told-evictions"), (.removalKeepsDate, "expired"),
        (.fileWithoutKey, "damaged-name"),
        (.portPrefix, "key-port"), (.portWithin, "key-port"), (.decodesDelimiters, "key-encoding"),
        (.composesLetters, "key-encoding"), (.pathParameters, "key-value"), (.leadingZeros, "key-value"),
        (.fragmentOfQuery, "key-fragment"), (.queryOfFragment, "key-fragment"), (.varyCase, "vary"),
        (.firstVary, "vary"), (.firstLine, "vary"), (.emptyReplacesNothing, "empty-body"),
        (.countsReplacedAsEvicted, "counted-evictions"), (.countsRemovedAsEvicted, "counted-evictions"),
        (.opensAboveCapacity, "disk-held"), (.olderComesBack, "removed-since-disk"),
        (.promotionRenewsDate, "expired"), (.resizeRenewsDates, "expired"), (.wrapsPlaces, "stored-last-memory"),
        (.losesComma, "persistent-any"), (.clearKeepsTotal, "cleared"), (.clearKeepsFiles, "cleared"),
        (.evictsNewest, "just-stored-memory"), (.ignoresLimit, "memory-held"), (.ignoresLimit, "entries-held"),
        (.evictsNewestFile, "just-stored-disk"), (.tooLargeKeepsOld, "superseded"), (.diskEightfold, "usage-disk"),
        (.forgetsUses, "used-kept-reopened"), (.trimsOnRunLoop, "memory-held"), (.trimsOnRunLoop, "entries-held"),
        (.writesOnRunLoop, "persistent"), (.expiresOnRunLoop, "expired"), (.freeEmptyBodies, "empty-held"),
        (.namesFolders, "persistent-paths"), (.removalBeforeWrite, "persistent-removed"),
        (.writesNewestFirst, "persistent-overwritten"), (.clearRemovesDirectory, "cleared"),
        (.trustsList, "damaged-missing"), (.foldsNames, "key-case"), (.removalKeepsSpace, "room-disk"),
        (.countsReplacedBytes, "room-disk"), (.largerKeepsOld, "superseded"), (.clearSubtractsTwice, "cleared"),
        (.useRenewsDate, "removed-since-memory"),
    ]

    /// Each time the recorded steps show it, but for what several threads do.
    @Test("a cache with all capabilities and no flaw keeps every promise", .enabled(if: isNightly, "each night"))
    func control() throws {
        let broken = try broken(.none)
        #expect(broken.isEmpty, "\(broken)")
        #expect(Promise.fixed.allSatisfy { $0.lacking(FlawedCache.self).isEmpty })
    }

    @Test("a subject that declares nothing is accused of nothing about limits, and told what it could declare")
    func undeclared() throws {
        final class Undeclared: CacheSubject {
            static let name = "undeclared"
            static let capabilities: SubjectCapabilities = [.memory]
            init(_ configuration: SubjectConfiguration) {}
            func key(for url: String) -> String { url }
            func lookUp(_ key: String, _ read: (UnsafeRawBufferPointer) -> Void) -> Outcome { .miss }
            func store(_ body: UnsafeRawBufferPointer, for key: String) -> Outcome { .store }
            func remove(_ key: String) {}
        }
        func lacking(_ name: String) -> [String]? { Promise.all.first { $0.name == name }?.lacking(Undeclared.self) }
        #expect(lacking("capacity-zero") == ["limits.zero"])
        #expect(lacking("capacity-negative") == ["limits.refusesNegative"])
        #expect(lacking("too-large") == ["a capacity", "limits.largestPart"])
        #expect(lacking("cleared") == ["removal of everything"])
        let findings = ["capacity-zero", "too-large", "cleared"].compactMap { name in
            Promise.all.first { $0.name == name }.map {
                Verification.Finding(
                    promise: $0, verdict: .notApplicable(reason: ""), steps: [], lacking: $0.lacking(Undeclared.self))
            }
        }
        let report = VerificationReport(subject: "undeclared", driven: "", findings: findings + findings.prefix(1))
        #expect(
            report.summary.hasSuffix(
                "4 not applicable\nnot applicable for lack of a declaration: limits.zero (2), a capacity (1), "
                    + "limits.largestPart (1), removal of everything (1)\n"), "\(report.summary)")
    }

    /// Each time half of them.
    @Test(
        "each flaw breaks its promise",
        arguments: isNightly ? flaws : flaws.enumerated().filter { $0.offset % 2 == 0 }.map(\.element))
    func planted(flaw: Flaw, promise: String) throws {
        let promise = try #require(Promise.fixed.first { $0.name == promise })
        let scratch = try ScratchDirectory()
        let verdict = verdict(promise, flaw, scratch)
        guard case .broken = verdict else {
            Issue.record("\(promise.name) is kept by \(flaw): \(verdict)")
            return
        }
    }
}
