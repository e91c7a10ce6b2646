/// A cache takes too long to be filled for a benchmark.
package struct TooSlow: Error, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
