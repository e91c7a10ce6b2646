/// The log of the gate's self-test.
package typealias SelfTestLog = LineLog<SelfTestRecord>

extension LineLog<SelfTestRecord> {
    package var settings: SelfTestRecord.Settings? {
        if case .settings(let settings)? = records.first { settings } else { nil }
    }

    package var rounds: [SelfTestRecord.Round] {
        records.compactMap { if case .round(let round) = $0 { round } else { nil } }
    }

    package var instructions: [SelfTestRecord.Instructions] {
        records.compactMap { if case .instructions(let counted) = $0 { counted } else { nil } }
    }
}
