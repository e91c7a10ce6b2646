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

    /// Consumes the lines of spaces and tabs, or of nothing, that the trace goes on with.
    ///
    /// - Returns: how many.
    func skipBlankLines() throws(TraceError) -> Int {
        var count = 0
        while true {
            let line = try peekLine()
            guard line.count < 4096, line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }), try !peek(1).isEmpty else {
                return count
            }
            count += 1
            _ = try self.line(number: count)
        }
    }
}
