/// The result of checking a promise.
package enum PromiseVerdict: Codable, Equatable, Sendable {
    case kept
    case broken(reason: String)
    case notApplicable(reason: String)
}
