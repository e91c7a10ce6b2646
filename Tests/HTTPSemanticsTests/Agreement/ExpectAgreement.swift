import Foundation
import HTTPAgreement
import TestSupport
import Testing

/// The number of inputs on which the two readings of each field must agree.
let agreementCount = nightly(1_000_000, else: 20_000)

/// Reads `count` inputs of a field both ways, prints the shares of the outcomes, and fails if the two
/// disagree, or if fewer than 30 % of the inputs are valid, because a generator of invalid inputs proves little.
func expectAgreement(
    on name: String, seed: UInt64, count: Int = agreementCount, make: (inout InputMaker) -> [UInt8],
    judge: (inout InputMaker, [UInt8]) -> Agreement, sourceLocation: SourceLocation = #_sourceLocation
) {
    var maker = InputMaker(seed: seed)
    var outcomes: [String: Int] = [:]
    var valid = 0
    var broken = 0
    var index = 0
    while index < count && broken < 5 {
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
    let shares = outcomes.sorted { $0.value > $1.value }.map { "\($0.key) \(percent($0.value, of: count))" }
    print("agreement on \(name), \(count) inputs, seed \(seed): \(shares.joined(separator: ", "))")
    #expect(
        valid * 100 >= count * 30, "only \(percent(valid, of: count)) of the inputs are valid",
        sourceLocation: sourceLocation)
}

private func percent(_ part: Int, of count: Int) -> String { "\(Double(part * 1000 / count) / 10) %" }

/// The bytes of each word of a list.
func words(_ text: String...) -> [[UInt8]] { text.map { [UInt8]($0.utf8) } }
