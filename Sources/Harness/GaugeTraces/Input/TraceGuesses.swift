/// What a trace left out, and the reader filled in.
package struct TraceGuesses: Hashable, Sendable {
    /// Entries without a time, which have that of the entry before.
    package var times = 0
    /// Entries without a method, which are taken for GET.
    package var methods = 0
    /// Dates without a zone, which are taken as UTC.
    package var zones = 0

    package init() {}

    static func + (one: TraceGuesses, other: TraceGuesses) -> TraceGuesses {
        var sum = one
        sum.times += other.times
        sum.methods += other.methods
        sum.zones += other.zones
        return sum
    }

    /// A warning; `nil` where nothing was guessed.
    package var warning: String? {
        let parts = [
            times > 0 ? "\(times) entries without a time have that of the entry before" : nil,
            methods > 0 ? "\(methods) without a method count as GET" : nil,
            zones > 0 ? "\(zones) dates without a zone count as UTC" : nil,
        ].compactMap { $0 }
        return parts.isEmpty ? nil : "the trace is incomplete: \(parts.joined(separator: "; "))"
    }
}
