import WorkCounter

/// Ends the process if `read` does more work than `rate * (count + 64) + fixed` for its `count` bytes: the work of reading must
/// be linear in the length of the input.
///
/// Work is measured as comparisons of instrumented code, not as time (see `Fuzz/WorkCounter`); 64 bytes that `memmove` or
/// `memcpy` copies count as one. Unspecialised code of the standard library and functions like `memcmp` are not counted.
/// An ordinary build counts nothing and only runs `read`.
func requireLinear<Value, Failure: Error>(
    _ count: Int, rate: UInt64, fixed: UInt64 = 0, _ what: @autoclosure () -> String,
    _ read: () throws(Failure) -> Value
) throws(Failure) -> Value {
    guard work_is_counted() else { return try read() }
    let before = (comparisons: work_comparisons(), copied: work_copied_bytes())
    work_count_comparisons(true)
    defer {
        work_count_comparisons(false)
        let (comparisons, copied) = (work_comparisons() - before.comparisons, work_copied_bytes() - before.copied)
        require(
            comparisons + copied / 64 <= rate * UInt64(count + 64) + fixed,
            "\(what()) of \(count) bytes took \(comparisons) comparisons, and copied \(copied) bytes")
    }
    return try entered(read)
}

/// Calls `read`. Never inlined into the caller, because a function checks on entry whether comparisons are counted.
@inline(never)
private func entered<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    try read()
}

/// Calls `read`, and shows libFuzzer what it compares, so that fuzzing finds the words for which a parser looks.
///
/// Comparisons outside of this function and of ``requireLinear(_:rate:fixed:_:_:)`` are not shown: those of an oracle
/// would only mislead. An ordinary build only calls `read`.
func showingComparisons<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    work_count_comparisons(true)
    defer { work_count_comparisons(false) }
    return try entered(read)
}
