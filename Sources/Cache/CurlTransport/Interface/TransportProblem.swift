/// Why a session's requests are carried by URLSession although libcurl was to carry them.
public struct TransportProblem: Error, CustomStringConvertible {
    /// For instance the dynamic linker's message.
    package let reason: String

    /// A problem, for a reason.
    package init(reason: String) { self.reason = reason }

    /// The thing, the reason and the remedy.
    public var description: String {
        "libcurl cannot be used (\(reason)), so that URLSession carries the requests, which does not survive every "
            + "broken answer; install libcurl 7.68 or later (Debian: libcurl4, Fedora: libcurl, Alpine: libcurl)"
    }
}
