import WorkCounter

/// Ends the process if `read` makes more than `rate * (count + 64)` comparisons for its `count` bytes: the work of
/// reading must be linear in the length of the input.
///
/// Work is measured as comparisons of instrumented code, not as time (see `Fuzz/WorkCounter`). Unspecialised code of
/// the standard library and functions like `memcmp` are not counted. An ordinary build counts nothing and only runs
/// `read`.
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

/// Calls `read`. Never inlined into the caller, because a function checks on entry whether comparisons are counted.
@inline(never)
private func entered<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    try read()
}
