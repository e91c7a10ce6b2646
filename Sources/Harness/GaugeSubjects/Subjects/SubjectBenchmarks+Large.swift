import GaugeMeasurement

extension SubjectBenchmarks {
    /// The rows of the suite `large`: a disk tier of 1, 8 and 32 GiB, whatever the capacity of the run, with bodies of 4 KiB.
    /// Each fills the tier, which takes seconds for each GiB, and as much space on disk.
    ///
    /// `large/store/…` fills it to overflowing and goes on storing, `large/hit/…` looks up all over it, `large/open/…` opens
    /// it. A figure of each is the rate of filling, bytes of bodies a second.
    @inlinable
    package static func large<Subject: CacheSubject>(
        _ type: Subject.Type, isPeer: Bool, reference: String = "tiered"
    ) -> [Benchmark] {
        guard Subject.capabilities.isSuperset(of: [.disk, .persistence]) else { return [] }
        return SubjectCase.largeCapacities.flatMap { capacity in
            let work = { (name: String) in
                var work = SubjectCase(
                    "large", "\(name)/\(capacity.name)", tier: .disk, bodyCount: 1 << 12,
                    suites: [BenchmarkSelection.apart], reference: reference)
                work.diskCapacity = capacity.bytes
                return work
            }
            return [
                store(type, work("store"), isPeer: isPeer), hit(type, work("hit"), isPeer: isPeer),
                open(type, work("open"), isPeer: isPeer),
            ]
        }
    }
}
