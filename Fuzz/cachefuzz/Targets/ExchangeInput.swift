import HTTPAgreement
import HTTPSemantics

/// A request, its response and the times of both, as the targets `freshness` and `reuse` read them from text:
///
///     METHOD POLICY STATUS DELAY RESIDENT AMOUNT URL policy 0 to 5; seconds under way, stored, and for a property
///     Name: value                                    fields of the request
///
///     Name: value                                    fields of the response
///
/// Missing parts have defaults, so every input is valid.
struct ExchangeInput {
    let request: HTTPRequest
    let response: HTTPResponse
    let exchange: Exchange
    let times: Exchange.Times
    /// A number for the tested property, 0 or more.
    let amount: Int64

    /// Sat, 21 Nov 2026 00:00:00 GMT, when the response was received.
    static let received: Int64 = 1_795_219_200

    init(_ buffer: UnsafeRawBufferPointer) {
        var lines = buffer[...]
        var head = Self.line(&lines)
        func number(default number: Int64) -> Int64 { Self.word(&head).flatMap { Int64($0) } ?? number }
        let method = Self.word(&head) ?? "GET"
        let policies = RequestPolicy.allCases
        let policy = policies[Int(UInt64(bitPattern: number(default: 0)) % UInt64(policies.count))]
        let status = number(default: 200)
        let (delay, resident) = (number(default: 0), number(default: 0))
        amount = max(number(default: 1), 0)
        request = HTTPRequest(
            method: method, url: Self.word(&head) ?? "https://example.org/", headerFields: Self.fields(&lines))
        response = HTTPResponse(status: Int(status), headerFields: Self.fields(&lines))
        exchange = Exchange(request, policy: policy, response, readAt: Self.received)
        times = Exchange.Times(
            request: Self.received.subtractingReportingOverflow(delay).partialValue,
            response: Self.received,
            now: Self.received.addingReportingOverflow(resident).partialValue)
    }

    private typealias Bytes = Slice<UnsafeRawBufferPointer>

    private static func line(_ lines: inout Bytes) -> Bytes {
        let end = lines.firstIndex(of: 0x0A) ?? lines.endIndex
        defer { lines = lines[min(end + 1, lines.endIndex)...] }
        return lines[..<end]
    }

    /// Takes the first word; `nil` at the end of the line.
    private static func word(_ line: inout Bytes) -> String? {
        line = line.drop { $0 == 0x20 }
        let word = line.prefix { $0 != 0x20 }
        line = line[word.endIndex...]
        return word.isEmpty ? nil : String(decoding: word, as: UTF8.self)
    }

    /// Takes the lines up to an empty one, and skips those without a colon.
    private static func fields(_ lines: inout Bytes) -> HTTPFields {
        var fields = HTTPFields()
        while !lines.isEmpty {
            let line = line(&lines)
            if line.isEmpty { break }
            guard let colon = line.firstIndex(of: 0x3A) else { continue }
            fields.fields.append(
                .init(
                    name: HTTPFields.Name(String(decoding: line[..<colon], as: UTF8.self)),
                    value: String(decoding: trimmed(line[(colon + 1)...]), as: UTF8.self)))
        }
        return fields
    }

    private static func trimmed(_ value: Bytes) -> Bytes {
        var value = value
        while value.first == 0x20 || value.first == 0x09 { value.removeFirst() }
        while value.last == 0x20 || value.last == 0x09 { value.removeLast() }
        return value
    }
}

extension ExchangeInput {
    /// Whether every sum of these times stays far from the bounds of Int64, so that shifting all changes nothing.
    var isOrdinary: Bool { [times.request, times.now, amount].allSatisfy { $0.magnitude < 1 << 50 } }

    /// The stored response if everything, dates included, happened `shift` seconds later.
    func stored(later shift: Int64 = 0, response: ResponseValues? = nil) -> StoredFacts {
        var response = response ?? exchange.response
        for date in [\ResponseFieldValues.date, \.expires, \.lastModified] {
            if case .at(let moment) = response.fields[keyPath: date] {
                response.fields[keyPath: date] = .at(moment + shift)
            }
        }
        return StoredFacts(response, requestTime: times.request + shift, responseTime: times.response + shift)
    }

    /// The response with `amount` seconds more in its `Age`.
    var older: ResponseValues {
        var older = exchange.response
        older.fields.age = .seconds((older.fields.age.seconds ?? 0) + min(amount, 1 << 40))
        return older
    }

    func response(adding directive: CacheControl.Directives) -> ResponseValues {
        var response = exchange.response
        response.fields.cacheControl.directives.insert(directive)
        return response
    }
}
