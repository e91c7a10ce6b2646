import GaugeSubjects
import HTTPReference

/// The rules of RFC 9111 as implemented by HTTPReference, which shares no code with the engine that it judges.
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
