import WorkCounter

/// Ends the process when `read`, which is given `count` bytes, takes more than `rate` comparisons for each of them, and
/// for each of 64 more: reading has to take work that grows with the input and no faster.
///
/// Work is counted in comparisons of instrumented code, not in time (see `Fuzz/WorkCounter`). What the standard library
/// does unspecialised, and `memcmp` and the like, is not in it. In an ordinary build nothing is counted, and `read` runs.
func requireLinear<Value, Failure: Error>(
    _ count: Int, rate: UInt64, _ what: @autoclosure () -> String, _ read: () throws(Failure) -> Value
) throws(Failure) -> Value {
    guard work_is_counted() else { return try read() }
    let before = work_comparisons()
    work_count_comparisons(true)
    defer {
        work_count_comparisons(false)
        let work = work_comparisons() - before
        require(work <= rate * UInt64(count + 64), "\(what()) of \(count) bytes took \(work) comparisons")
    }
    return try entered(read)
}

/// Calls `read`, and not as a part of the caller: whether comparisons are counted is looked up when a function is entered.
@inline(never)
private func entered<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    try read()
}
