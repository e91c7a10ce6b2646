/// The result of one set of processes: the ratios of mean times, and those of 99th percentiles.
package struct TimedSet: Equatable {
    package enum Tail: Equatable {
        case ratios(Replicate)
        /// The percentiles are not known, for a reason that other sets share.
        case unknown(reason: String)
    }

    package let mean: Replicate
    package let tail: Tail

    package init(mean: Replicate, tail: Tail) {
        self.mean = mean
        self.tail = tail
    }
}
