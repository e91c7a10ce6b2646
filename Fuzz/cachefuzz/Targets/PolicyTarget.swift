import GaugeTraces

extension FuzzTarget {
    /// The input is a capacity and a list of operations on a simulated cache; see ``PolicyScript``.
    ///
    /// Oracle: for every policy, a simulation with plain arrays has the same hits and usage after every operation. The
    /// policy reports each eviction, and usage never exceeds capacity.
    static let policy = FuzzTarget(
        "policy", of: .gauge, mutation: .records(width: PolicyScript.width, head: 1, most: 512),
        describe: { bytes in numbered(PolicyScript.described(bytes)) },
        run: { bytes in
            guard let capacity = bytes.first else { return }
            for kind in PolicyKind.all {
                guard let model = policyModels[kind.name] else { fuzzFailure("\(kind.name) has no model") }
                var script = PolicyScript(kind.type, model, capacity: Int(capacity) * 4)
                let operations = UnsafeRawBufferPointer(rebasing: bytes.dropFirst())
                if let difference = script.run(operations) { fuzzFailure("\(kind.name): \(difference)") }
            }
        })
}
