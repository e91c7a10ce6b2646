extension TraceInput {
    /// Consumes the byte-order mark of a text in UTF-8, if the trace begins with one.
    ///
    /// - Throws: ``TraceError`` if the trace is a text in UTF-16, which no format is.
    package func skipByteOrderMark() throws(TraceError) {
        let beginning = Array(try peek(4))
        if beginning.starts(with: [0xEF, 0xBB, 0xBF]) { return skip(3) }
        guard beginning.count == 4 else { return }
        let isLittle = beginning.starts(with: [0xFF, 0xFE]) && beginning[3] == 0
        let isBig = beginning.starts(with: [0xFE, 0xFF]) && beginning[2] == 0
        guard !isLittle, !isBig else {
            throw TraceError(
                name, .offset(0),
                "a text in UTF-16; convert it on the way: iconv -f UTF-16 -t UTF-8 FILE | cachegauge replay -")
        }
    }
}
