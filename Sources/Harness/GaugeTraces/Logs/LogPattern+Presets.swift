extension LogPattern {
    /// The layouts of servers, proxies and networks that have no other decoder, in the order in which they are tried.
    package static let presets: [LogPattern] = sources.compactMap(LogPatternReader.preset)

    /// The presets of a name.
    package static func presets(named name: String) -> [LogPattern] {
        presets.filter { $0.name == name.uppercased() }
    }

    private static let sources: [(name: String, format: String, counted: CountedBytes)] = [
        // Amazon's load balancers: type, time, balancer, client, target, three times, status, target's, received, sent.
        ("AWSALB", #"%^ %x %^ %^ %^ %^ %^ %^ %s %^ %^ %{size} "%r" "#, .unknown),
        ("AWSELB", #"%x %^ %^ %^ %^ %^ %^ %s %^ %^ %{size} "%r" "#, .unknown),
        // Amazon S3: owner, bucket, time, address, requester, id, operation, key, request, status, error, bytes.
        ("AWSS3", #"%^ %v [%x] %^ %^ %^ %^ %^ "%r" %s %^ %b "#, .body),
        // Istio has more between status and sizes than Envoy, and earlier versions had something else there.
        ("ISTIO", #"[%x] "%r" %s %^ %^ %^ "%^" %^ %b %^ %^ "%^" "%^" "%^" "%v""#, .body),
        ("ISTIO", #"[%x] "%r" %s %^ "%^" "%^" %^ %b %^ %^ "%^" "%^" "%^" "%v""#, .body),
        ("ENVOY", #"[%x] "%r" %s %^ %^ %b %^ %^ "%^" "%^" "%^" "%v""#, .body),
        // HAProxy: client, time, frontend, backend, timers, status, bytes, cookies, state, counts, queues, captures.
        ("HAPROXY", #"%^ [%x] %^ %^ %^ %s %O %^ %^ %^ %^ %^ {%v} %^"%r""#, .response),
        ("HAPROXY", #"%^ [%x] %^ %^ %^ %s %O %^ %^ %^ %^ %^/%^ %^"%r""#, .response),
        // Nginx Proxy Manager, with the upstream's status and without.
        ("NPM", #"[%x] %^ %^ %s - %m %{scheme} %v "%U" [Client %^] [Length %b] "#, .body),
        ("NPM", #"[%x] %s - %m %{scheme} %v "%U" [Client %^] [Length %b] "#, .body),
        // Servers in Python and Go, whose lines have no size; uvicorn's have no time either.
        ("UVICORN", #"INFO: %^ - "%r" %s "#, .unknown),
        ("GIN", #"[GIN] %d - %t | %s | %^ | %^ | %m "%U""#, .unknown),
        // Bunny's network: cache, status, thousandths of a second, bytes, zone, address, referrer, URL.
        ("BUNNY", #"%^|%s|%x|%{size}|%^|%^|%^|%U|"#, .unknown),
    ]
}
