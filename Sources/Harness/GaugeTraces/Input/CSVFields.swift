/// One line of fields separated by commas (RFC 4180) or another byte. A quoted field may contain separators, and doubled quotes; line breaks
/// inside a field are not supported.
package struct CSVFields: RandomAccessCollection {
    private let separator: UInt8
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    package init(separator: UInt8 = UInt8(ascii: ",")) { self.separator = separator }

    package var startIndex: Int { 0 }
    /// How many fields there are.
    package var endIndex: Int { ends.count }

    /// A field's bytes, without its quotes.
    package subscript(index: Int) -> ArraySlice<UInt8> { bytes[(index == 0 ? 0 : ends[index - 1])..<ends[index]] }

    /// Splits a line, and replaces the fields of the line before.
    ///
    /// - Returns: the fault of the line; `nil` if it is well-formed.
    package mutating func split(_ line: ArraySlice<UInt8>) -> String? {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        bytes.reserveCapacity(line.count)
        ends.reserveCapacity(8)
        var at = line.startIndex
        while true {
            if at < line.endIndex, line[at] == UInt8(ascii: "\"") {
                guard let after = unquote(line, from: at + 1) else { return "a quoted field does not end on the line" }
                at = after
                if at < line.endIndex, line[at] != separator { return "text after the end of a quoted field" }
            } else {
                let end = line[at...].firstIndex(of: separator) ?? line.endIndex
                bytes.append(contentsOf: line[at..<end])
                at = end
            }
            ends.append(bytes.count)
            if at == line.endIndex { return nil }
            at += 1
        }
    }

    /// A field without the spaces around it.
    package static func trimmed(_ field: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var text = field.drop { $0 == 0x20 || $0 == 0x09 }
        while let last = text.last, last == 0x20 || last == 0x09 { text.removeLast() }
        return text
    }

    /// Appends the text inside quotes.
    ///
    /// - Returns: the index after the field; `nil` if its quotes are not closed.
    private mutating func unquote(_ line: ArraySlice<UInt8>, from start: Int) -> Int? {
        var at = start
        while let quote = line[at...].firstIndex(of: UInt8(ascii: "\"")) {
            bytes.append(contentsOf: line[at..<quote])
            at = quote + 1
            guard at < line.endIndex, line[at] == UInt8(ascii: "\"") else { return at }
            bytes.append(UInt8(ascii: "\""))
            at += 1
        }
        return nil
    }
}
