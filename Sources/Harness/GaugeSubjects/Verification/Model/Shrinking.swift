/// Finds a small part of a list that still fails, by delta debugging (Zeller and Hildebrandt, "Simplifying and Isolating
/// Failure-Inducing Input", IEEE TSE 28(2), 2002). At its end no single element can be left out.
package enum Shrinking {
    /// The remaining elements, in their order.
    ///
    /// - Parameters:
    ///   - list: fails as a whole.
    ///   - mayGoOn: asked before each try; the smallest list so far is returned once it is false.
    ///   - fails: tries a part of the list.
    package static func fewest<Element>(
        of list: [Element], while mayGoOn: () -> Bool = { true }, fails: ([Element]) throws -> Bool
    ) rethrows -> [Element] {
        var list = list
        var length = list.count / 2
        while length > 0 {
            var hasShrunk = false
            // From the end: the steps after the failure go first.
            var end = list.count
            while end > 0 {
                guard mayGoOn() else { return list }
                let start = max(0, end - length)
                let rest = Array(list[..<start] + list[end...])
                if !rest.isEmpty, try fails(rest) {
                    list = rest
                    hasShrunk = true
                }
                end = start
            }
            // Leaving one out may allow leaving out another that was tried before.
            if length > 1 || !hasShrunk { length = length == 1 ? 0 : max(1, length / 2) }
        }
        return list
    }
}
