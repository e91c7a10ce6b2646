import WorkCounter

/// Ends the process unless `condition` holds.
func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
    if !condition { fuzzFailure(promise()) }
}

extension [UInt8] {
    /// The bytes with every ASCII letter in upper case.
    var uppercased: [UInt8] { map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 } }

    /// The bytes with every ASCII letter in lower case.
    var lowercased: [UInt8] { map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 } }

    /// The bytes with whitespace and an empty member at every comma, whether inside quotes or not.
    var spread: [UInt8] {
        var spread: [UInt8] = []
        spread.reserveCapacity(2 * count)
        for byte in self {
            if byte == 0x2C { spread += [0x09, 0x2C, 0x2C, 0x20] } else { spread.append(byte) }
        }
        return spread
    }

    /// The bytes without spaces and tabs at both ends.
    var trimmed: [UInt8] {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return []
        }
        return Array(self[first...last])
    }

    /// The bytes in quotes, for a message.
    var quoted: String { String(decoding: self, as: UTF8.self).debugDescription }
}

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
