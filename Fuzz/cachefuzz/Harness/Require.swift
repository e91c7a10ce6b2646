import WorkCounter

func require(_ condition: Bool, _ promise: @autoclosure () -> String) {
    if !condition { fuzzFailure(promise()) }
}

extension [UInt8] {
    var uppercased: [UInt8] { map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 } }

    var lowercased: [UInt8] { map { $0 >= 0x41 && $0 <= 0x5A ? $0 + 0x20 : $0 } }

    /// The bytes with whitespace and an empty member at every comma, even inside quotes.
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

/// Ends the process if `read` does more work than `rate * (count + 64) + fixed` for its `count` bytes: reading must be
/// linear in the input's length.
///
/// Work is measured in comparisons of instrumented code, not time (see `Fuzz/WorkCounter`); 64 bytes copied by
/// `memmove` or `memcpy` count as one. Unspecialised code of the standard library and functions like `memcmp` don't
/// count. An ordinary build counts nothing and only runs `read`.
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

/// Calls `read`. Never inlined, because a function checks on entry whether comparisons are counted.
@inline(never)
private func entered<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    try read()
}

/// Calls `read`, and shows libFuzzer what it compares, so that fuzzing finds the words that a parser looks for.
///
/// Comparisons outside this function and ``requireLinear(_:rate:fixed:_:_:)`` aren't shown: an oracle's would only
/// mislead. An ordinary build only calls `read`.
func showingComparisons<Value, Failure: Error>(_ read: () throws(Failure) -> Value) throws(Failure) -> Value {
    work_count_comparisons(true)
    defer { work_count_comparisons(false) }
    return try entered(read)
}
