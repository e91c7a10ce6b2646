import GaugeTraces

extension FuzzTarget {
    /// The input is a workload file.
    ///
    /// Oracle: an accepted workload, written and read again, is equal. Reading the document is linear in the length.
    /// The workload can be started whatever its numbers.
    static let workload = FuzzTarget(
        "workload_json", of: .gauge, mutation: .structured(JSONMutation<WorkloadDocuments>.self)
    ) { input in
        let bytes = Array(input)
        _ = requireLinear(bytes.count, rate: 100, "a document") { try? JSONReader.read(bytes) }
        guard let plan = try? WorkloadPlan(json: bytes) else { return }
        let written = plan.json
        do {
            let again = try WorkloadPlan(json: Array(written.utf8))
            require(again == plan, "\(written) reads back as \(again.json)")
        } catch {
            fuzzFailure("\(written) cannot be read back: \(error)")
        }
        let workload = Workload(plan, seed: 1)
        var keys = workload.keys()
        for _ in 0..<200 {
            let key = keys.next()
            let size = workload.sizes.size(of: key)
            let isOne =
                switch plan.sizes {
                case .constant(let bytes): size == bytes
                case .lognormal(_, _, let minimum, let maximum): minimum...maximum ~= size
                case .histogram(let bins): bins.contains { $0.weight > 0 && $0.from...$0.to ~= size }
                }
            require(isOne && size <= workload.sizes.longest, "a body of \(size) bytes in \(written)")
        }
    }
}
