import HTTPAgreement
import Testing

/// How many inputs the two readings of each field have to agree on.
let agreementCount = 1_000_000

/// Puts `agreementCount` inputs before both readings of a field, prints the shares of the outcomes, and fails when the
/// two disagree or when fewer than 30 % of the inputs are valid, since a generator of junk proves little.
func expectAgreement(
    on name: String, seed: UInt64, make: (inout InputMaker) -> [UInt8],
    judge: (inout InputMaker, [UInt8]) -> Agreement, sourceLocation: SourceLocation = #_sourceLocation
) {
    var maker = InputMaker(seed: seed)
    var outcomes: [String: Int] = [:]
    var valid = 0
    var broken = 0
    var index = 0
    while index < agreementCount && broken < 5 {
        let input = make(&maker)
        switch judge(&maker, input) {
        case .agreed(let outcome, let isValid):
            outcomes[outcome, default: 0] += 1
            if isValid { valid += 1 }
        case .broken(let difference):
            broken += 1
            let text = String(decoding: input, as: UTF8.self).debugDescription
            Issue.record(
                "\(name), seed \(seed), input \(index): \(text) \(input): \(difference)", sourceLocation: sourceLocation
            )
        }
        index += 1
    }
    guard broken == 0 else { return }
    let shares = outcomes.sorted { $0.value > $1.value }.map { "\($0.key) \(percent($0.value))" }
    print("agreement on \(name), \(agreementCount) inputs, seed \(seed): \(shares.joined(separator: ", "))")
    #expect(
        valid * 100 >= agreementCount * 30, "only \(percent(valid)) of the inputs are valid",
        sourceLocation: sourceLocation)
}

private func percent(_ count: Int) -> String { "\(Double(count * 1000 / agreementCount) / 10) %" }
