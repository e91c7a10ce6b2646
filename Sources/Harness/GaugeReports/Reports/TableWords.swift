/// What the columns of a run's table and the lines of its summary mean.
package enum TableWords {
    package static let all: [(word: String, line: String)] = [
        ("time", "the undisturbed time of one operation; of stores and mixtures of outcomes the mean"),
        ("undisturbed", "while the processor runs at full speed, without interruption; probes tell when that is"),
        ("typical", "the median with every disturbance"),
        ("±95 %", "the farther end of the 95 % confidence interval, over sets of processes"),
        ("p99, p99.9", "the time that one operation in 100, or in 1,000, exceeds"),
        ("ratio", "how many times as long as ours, both measured in turns"),
        ("~", "a typical time, or a ratio of such times: the machine was at full speed too rarely"),
        ("allocs", "allocations of memory in one operation"),
        ("wrong", "answers that were not what was stored"),
        ("ours, peer", "ours is the cache under test, whose ratio is 1; a peer is another's, for comparison"),
        (
            "nearest peer",
            "the peer of a case with the smallest ratio; a stage's ratio is the geometric mean over its cases"
        ),
        (
            "what programs usually have",
            "peers that are in wide use and not written for speed; in the table below the others"
        ),
        ("set", "one process for each benchmark of a case, from start to exit, whose slices take turns"),
        ("slice", "some milliseconds of measuring one benchmark"),
        ("too close to call", "a ratio that this run cannot tell from 1"),
        ("faster than ours", "peers whose ratio is below 1, certainly"),
        (
            "two modes",
            "rows with two speeds: slices gather around two times, of the machine or of the code; --verbose shows both"
        ),
        (
            "A/A",
            "a benchmark measured against itself in the same run: what remains as difference is the run's own error"
        ),
        ("steal", "the part of the processor that the host took for others"),
        ("load", "how many threads wanted a processor on average, of so many processors"),
        ("in bursts", "the work of many stores is done at once, so that the mean is judged, not the quartile"),
        ("hits, hit ratio", "the part of the requests that the cache answers; byte hit ratio: the part of their bytes"),
    ]
}
