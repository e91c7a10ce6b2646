import GaugeKit
import GaugeTraces
import HTTPReference

/// The reference's reading of RFC 9111, for a private cache.
///
/// Of the request's directives it honours `no-cache`, `no-store`, `max-age=0` and ranges, but no other limits on age.
/// It ignores conditions, since those in an archive come from the cache of the browser that wrote it.
struct ReferenceRules: CachingRules {
    func verdict(on exchange: HTTPExchange) -> CachingVerdict {
        let sent = Self.seconds(exchange.sent ?? 0)
        let received = sent + max(0, Self.seconds(exchange.headDelay))
        let request = Reference.Request(
            method: exchange.method, policy: .protocolDecides, fields: Self.block(exchange.requestFields))
        let response = Reference.Response(
            status: exchange.status, fields: Self.block(exchange.responseFields), responseTime: received)
        var verdict = CachingVerdict(
            // In a log, only the status tells that a part was requested.
            mayBeAnswered: (request.isGet || exchange.method == "HEAD") && !request.hasRange && exchange.status != 206
                && !request.cacheControl.has("no-cache") && request.cacheControl.number("max-age") != .number(0),
            freshSeconds: nil,
            // For unsafe methods, only if the response isn't an error (RFC 9111, section 4.4).
            invalidates: request.isGet
                ? !request.hasRange && exchange.supersedes
                : !request.isSafe && (200..<400).contains(exchange.status))
        guard response.isStorable(for: request, isComplete: true), !request.hasRange else {
            verdict.reason = Self.reason(against: response, to: request)
            return verdict
        }
        verdict.invalidates = false
        verdict.freshSeconds = .max
        if exchange.hasFields {
            let stored = Reference.StoredResponse(response, requestTime: sent, responseTime: received)
            verdict.freshSeconds =
                response.cacheControl.has("no-cache") || response.cacheControl.malformed
                ? 0 : max(0, stored.freshnessLifetime - stored.currentAge(at: received))
        }
        verdict.reason = !verdict.mayBeAnswered ? .requestReload : verdict.freshSeconds == 0 ? .staleAtOnce : nil
        return verdict
    }

    /// The named fields with their values, without what never tells two values apart: whitespace around commas and in
    /// runs, and in `Accept-Language` also case and the order of members of different weight.
    func selection(of request: [HTTPExchange.Field], by vary: [UInt8]) -> [UInt8] {
        guard case .names(let names) = Reference.Vary.parse(vary) else { return [] }
        let block = Self.block(request)
        var bytes: [UInt8] = []
        for name in Set(names).sorted() {
            bytes += name.utf8
            // Neither byte is part of a name or value.
            bytes.append(0)
            if let value = block.value(of: name) {
                bytes += [1] + Self.plain(value, isLanguage: name == "accept-language")
            }
            bytes.append(0)
        }
        return bytes
    }

    private static func plain(_ value: [UInt8], isLanguage: Bool) -> [UInt8] {
        guard !value.contains(UInt8(ascii: "\"")) else { return value }
        var members = value.split(separator: UInt8(ascii: ",")).map { member in
            Array(member.split { $0 == 0x20 || $0 == 0x09 }.joined(separator: [0x20]))
        }
        if isLanguage {
            members = members.map { Array(String(decoding: $0, as: UTF8.self).lowercased().utf8) }
            let weighed = members.map { (member: $0, weight: weight(of: $0)) }.enumerated()
            members = weighed.sorted { ($1.element.weight, $0.offset) < ($0.element.weight, $1.offset) }
                .map(\.element.member)
        }
        return Array(members.joined(separator: [UInt8(ascii: ",")]))
    }

    private static func weight(of member: [UInt8]) -> Double {
        let text = String(decoding: member, as: UTF8.self).replacing(" ", with: "")
        guard let mark = text.firstRange(of: ";q=") else { return 1 }
        return Double(text[mark.upperBound...]) ?? 1
    }

    /// Why a response is not stored, in the order of the rules.
    private static func reason(against response: Reference.Response, to request: Reference.Request) -> UncachedReason {
        if !request.isGet { return .method }
        if request.hasRange || response.status == 206 { return .part }
        guard (200..<600).contains(response.status), response.status != 304, !response.isOfOneRequest else {
            return .status(response.status)
        }
        if response.hasContentRange, response.status == 200 { return .part }
        if request.cacheControl.has("no-store") { return .requestNoStore }
        if response.cacheControl.has("no-store") { return .noStore }
        if response.cacheControl.has("must-understand") { return .status(response.status) }
        if let vary = response.vary, !vary.isReadable { return .variesOnEverything }
        return response.status < 400 ? .noLifetime : .status(response.status)
    }

    /// Whole seconds, limited to 30,000 years before and after 1970.
    private static func seconds(_ time: Double) -> Int64 {
        time.isNaN ? 0 : Int64(min(max(time, -1e12), 1e12).rounded(.down))
    }

    private static func block(_ fields: [HTTPExchange.Field]) -> Reference.FieldBlock {
        Reference.FieldBlock(fields: fields.map { Reference.FieldBlock.Field(name: $0.name, value: $0.value) })
    }
}

/// The rules of RFC 9111 by HTTPReference, which shares no code with the engine that it judges.
struct ReferenceReuse: ReuseRules {
    func mayStore(_ response: ReceivedResponse, for request: SimulatedRequest) -> Bool {
        reading(response).isStorable(for: reading(request), isComplete: true)
    }

    func use(of response: ReceivedResponse, for request: SimulatedRequest, at moment: Int64) -> AllowedUse {
        let stored = Reference.StoredResponse(
            reading(response), requestTime: response.moment, responseTime: response.moment)
        switch Reference.Reuse.decide(reading(request), stored, now: moment) {
        case .fresh, .select: return .fresh
        case .stale, .staleWhileRevalidating: return .stale
        case .validate, .fetch, .gatewayTimeout, .fail: return .no
        }
    }

    private func reading(_ response: ReceivedResponse) -> Reference.Response {
        Reference.Response(status: response.status, fields: block(response.fields), responseTime: response.moment)
    }

    private func reading(_ request: SimulatedRequest) -> Reference.Request {
        Reference.Request(method: request.method, policy: .protocolDecides, fields: block(request.fields))
    }

    private func block(_ fields: [HeaderField]) -> Reference.FieldBlock {
        Reference.FieldBlock(
            fields: fields.map { Reference.FieldBlock.Field(name: Array($0.name.utf8), value: Array($0.value.utf8)) })
    }
}
