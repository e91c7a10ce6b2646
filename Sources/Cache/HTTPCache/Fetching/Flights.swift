import HTTPSemantics
import Platform
import Synchronization

/// The fetches under way.
///
/// `@unchecked Sendable`: both dictionaries and the count are touched under the lock alone.
final class Flights: @unchecked Sendable {
    private let lock = Lock()
    /// Those that others may join.
    private var shared: [[UInt8]: Flight] = [:]
    /// All whose answers may be stored, by the URL's own key.
    private var byKey: [[UInt8]: [Flight]] = [:]
    private var flightsSoFar: UInt64 = 0
    /// How many shared ones have landed. Whoever looked into the store before another did has to look again, or there
    /// would be a second fetch for what has just been stored.
    private let landings = Atomic<UInt64>(0)

    /// To be read before the store is looked into, for `board`.
    var landed: UInt64 { landings.load(ordering: .acquiring) }

    /// How one gets a seat.
    enum Boarding {
        /// In a flight that another one began.
        case joined(Seat)
        /// In a new one, whose work has to be begun.
        case began(Seat)
        /// Not yet: a flight has landed, and the store may have the answer.
        case lookAgain
    }

    /// Takes a seat in the flight of that key, or begins one.
    ///
    /// - Parameters:
    ///   - key: the URL's own key.
    ///   - sharedKey: under which others may join; `nil` for a flight of one's own.
    ///   - landed: read before the store was looked into; `nil` to begin in any case.
    func board(_ call: Call, validates: Bool, key: [UInt8]?, sharedKey: [UInt8]?, landed: UInt64?) -> Boarding {
        lock.withLock {
            if let sharedKey, let flight = shared[sharedKey], let seat = flight.takeSeat(isOwner: false) {
                return .joined(seat)
            }
            if sharedKey != nil, let landed, landed != self.landed { return .lookAgain }
            flightsSoFar += 1
            let flight = Flight(
                call, validates: validates, key: key, sharedKey: sharedKey, number: flightsSoFar)
            guard let seat = flight.takeSeat(isOwner: true) else { return .lookAgain }
            if let sharedKey { shared[sharedKey] = flight }
            if let key { byKey[key, default: []].append(flight) }
            return .began(seat)
        }
    }

    /// The flight is over, and what it brought is stored.
    func land(_ flight: Flight) {
        lock.withLock {
            if let key = flight.sharedKey {
                // Another may have taken the place of one that everybody had left.
                if shared[key] === flight { shared[key] = nil }
                landings.wrappingAdd(1, ordering: .acquiringAndReleasing)
            }
            guard let key = flight.key else { return }
            byKey[key]?.removeAll { $0 === flight }
            if byKey[key]?.isEmpty == true { byKey[key] = nil }
        }
    }

    /// What the flights under way for a URL bring may not be stored any more, nor be joined.
    func outdate(_ key: [UInt8]) {
        lock.withLock {
            for flight in byKey[key] ?? [] { outdateLocked(flight) }
        }
    }

    /// What all flights under way bring may not be stored any more, nor be joined.
    func outdateAll() {
        lock.withLock {
            for flight in byKey.values.joined() { outdateLocked(flight) }
        }
    }

    /// What `flight` brought is being stored: earlier ones whose answers would take its place come too late.
    func outdate(before flight: Flight, in audience: Audience) {
        lock.withLock {
            guard let key = flight.key else { return }
            for other in byKey[key] ?? []
            where other.number < flight.number && audience.contains(other.request.request) {
                outdateLocked(other)
            }
        }
    }

    private func outdateLocked(_ flight: Flight) {
        flight.outdate()
        if let key = flight.sharedKey, shared[key] === flight { shared[key] = nil }
    }
}
