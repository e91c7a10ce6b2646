// Invariant of the pointers: the list of getifaddrs is read before freeifaddrs, and nothing of it is kept.

/// The machine's network interfaces, for the error of a request that found no host.
enum NetworkInterfaces {
    /// One interface with an address.
    struct Interface {
        let isLoopback: Bool
        let isUp: Bool
    }

    /// No interface but loopback has an address, and the URL is of another machine: what URLSession calls
    /// `notConnectedToInternet`.
    static func isOffline(for url: URL?, _ interfaces: [Interface] = present()) -> Bool {
        guard let host = url?.host?.lowercased(), !isOfThisMachine(host) else { return false }
        return !interfaces.contains { $0.isUp && !$0.isLoopback }
    }

    private static func isOfThisMachine(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || host == "::1" || host == "[::1]"
            || host.hasPrefix("127.")
    }

    private static func present() -> [Interface] {
        var first: UnsafeMutablePointer<ifaddrs>?
        // A list that cannot be read says nothing: the machine is taken to be connected.
        guard getifaddrs(&first) == 0 else { return [Interface(isLoopback: false, isUp: true)] }
        defer { freeifaddrs(first) }
        var interfaces: [Interface] = []
        var next = first
        while let entry = next {
            let flags = Int(entry.pointee.ifa_flags)
            if let address = entry.pointee.ifa_addr,
                [sa_family_t(AF_INET), sa_family_t(AF_INET6)].contains(address.pointee.sa_family)
            {
                interfaces.append(
                    Interface(isLoopback: flags & Int(IFF_LOOPBACK) != 0, isUp: flags & Int(IFF_UP) != 0))
            }
            next = entry.pointee.ifa_next
        }
        return interfaces
    }
}
