import Foundation
import LoopbackOrigin
import Platform
import TestSupport

/// An nginx of a test's own, on ports of 127.0.0.1, with one TLS server a certificate.
final class Nginx {
    /// A server's certificate; `trusted` alone is right.
    enum Certificate: String, CaseIterable, Sendable {
        case trusted, expired, wrongHost = "wrong-host", selfSigned = "self-signed"
    }

    /// Where it is installed; `nil` where it is not (Debian: nginx-light).
    static let executable: String? = {
        let paths = ["/usr/sbin/nginx", "/usr/bin/nginx", "/usr/local/sbin/nginx", "/opt/homebrew/bin/nginx"]
        return paths.first { FileManager.default.isExecutableFile(atPath: $0) }
    }()

    /// The certificate of the authority that has signed all but one.
    static let authority = certificates.appending(path: "ca.pem")
    private static let certificates = URL(filePath: #filePath).deletingLastPathComponent()
        .appending(path: "Certificates")

    let http: String
    private let ports: [Certificate: UInt16]
    private let directory: ScratchDirectory
    private let child: RunningChild
    private var isStopped = false

    /// - Parameters:
    ///   - upstream: an origin that gets the requests under `/upstream/`.
    ///   - requestsPerConnection: after which it ends a connection.
    ///   - hasHTTP2: over TLS.
    init(
        executable: String, upstream: String? = nil, requestsPerConnection: Int = 1_000, hasHTTP2: Bool = true
    ) throws {
        directory = try ScratchDirectory()
        let free = try Self.freePorts(count: 1 + Certificate.allCases.count)
        http = "http://127.0.0.1:\(free[0])"
        ports = Dictionary(uniqueKeysWithValues: zip(Certificate.allCases, free.dropFirst()))
        try FileManager.default.createDirectory(atPath: "\(directory.path)/www", withIntermediateDirectories: true)
        try Self.text.write(toFile: "\(directory.path)/www/text", atomically: true, encoding: .utf8)
        try Self.large.write(to: URL(filePath: "\(directory.path)/www/large"))
        var locations = Self.locations(directory.path)
        if let upstream {
            locations += "location /upstream/ { proxy_pass \(upstream)/; proxy_buffering off; proxy_http_version 1.1; }"
        }
        locations += "keepalive_requests \(requestsPerConnection);"
        let configuration = Self.configuration(directory.path, free[0], ports, locations, hasHTTP2 ? "http2" : "")
        try configuration.write(toFile: "\(directory.path)/nginx.conf", atomically: true, encoding: .utf8)
        child = try RunningChild("sh", ["-c", "exec '\(executable)' -p '\(directory.path)' -c nginx.conf -e stderr"])
        for port in free { try waitUntilListening(port) }
    }

    deinit { stop() }

    /// Ends it, and returns once it has ended.
    func stop() {
        guard !isStopped else { return }
        isStopped = true
        kill(child.process, SIGTERM)
        _ = child.wait()
    }

    func https(_ certificate: Certificate) -> String { "https://localhost:\(ports[certificate] ?? 0)" }

    /// The statuses that were logged for a path, once there are so many: nginx logs after it has answered.
    func statuses(_ path: String, count: Int) throws -> [String] { try logged(path, count: count).map { $0[0] } }

    /// The numbers of the connections on which requests for a path came, once there are so many.
    func connections(_ path: String, count: Int) throws -> Set<String> {
        Set(try logged(path, count: count).map { $0[2] })
    }

    /// The words of the log's lines about a path.
    private func logged(_ path: String, count: Int) throws -> [[String]] {
        let deadline = monotonicNanoseconds() + 600_000_000_000
        while true {
            let log = try String(contentsOfFile: "\(directory.path)/log", encoding: .utf8)
            let lines = log.split(separator: "\n").map { $0.split(separator: " ").map { String($0) } }
                .filter { $0.count == 3 && $0[1] == path }
            if lines.count >= count || monotonicNanoseconds() > deadline { return lines }
            usleep(1_000)
        }
    }

    /// The file that it serves, under `/plain/` and `/zipped/`, for a month, and under `/stale/`, for no time.
    static let text = (0..<2_000).map { "line \($0)\n" }.joined()

    /// A file of 4 MB beside it.
    static let large = {
        let part = Data((0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 8) })
        return (0..<64).reduce(into: Data()) { $0 += [UInt8($1)] + part }
    }()

    /// Ports below those that systems choose by themselves, so that no other test of this process gets one of them
    /// before nginx does.
    private static func freePorts(count: Int) throws -> [UInt16] {
        var free: [UInt16] = []
        while free.count < count {
            let port = lastPort.withLock { port in
                port = port < 29_999 ? port + 1 : 10_000
                return port
            }
            if (try? connectedSocket(to: port)).map({ close($0) }) == nil { free.append(port) }
        }
        return free
    }

    private static let lastPort = Locked(UInt16.random(in: 10_000..<30_000))

    private func waitUntilListening(_ port: UInt16) throws {
        let deadline = monotonicNanoseconds() + 600_000_000_000
        while true {
            if let descriptor = try? connectedSocket(to: port) {
                close(descriptor)
                return
            }
            guard monotonicNanoseconds() < deadline else { throw URLError(.cannotConnectToHost) }
            usleep(1_000)
        }
    }

    private static func locations(_ directory: String) -> String {
        [("plain", "off", "30d"), ("zipped", "on", "30d"), ("stale", "on", "0")]
            .map { name, gzip, expires in
                "location /\(name)/ { alias \(directory)/www/; gzip \(gzip); expires \(expires); }"
            }
            .joined(separator: "\n")
            + "location /trailer/ { alias \(directory)/www/; add_trailer X-Trailer late; }"
    }

    private static func configuration(
        _ directory: String, _ port: UInt16, _ ports: [Certificate: UInt16], _ locations: String, _ http2: String
    ) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "\($0)_temp_path \(directory)/\($0);" }.joined(separator: "\n")
        let servers = ports.map { certificate, port in
            """
            server {
                listen 127.0.0.1:\(port) ssl \(http2);
                ssl_certificate \(certificates.path)/\(certificate.rawValue).pem;
                ssl_certificate_key \(certificates.path)/server.key;
                ssl_client_certificate \(certificates.path)/ca.pem;
                ssl_verify_client optional;
                add_header X-Client "$ssl_client_verify $ssl_client_s_dn" always;
                add_header X-Protocol $server_protocol always;
                \(locations)
            }
            """
        }.joined(separator: "\n")
        return """
            daemon off;
            master_process off;
            pid \(directory)/pid;
            events {}
            http {
                \(temporary)
                log_format short '$status $request_uri $connection';
                access_log \(directory)/log short;
                default_type text/plain;
                gzip_types text/plain;
                gzip_min_length 1;
                add_header X-Protocol $server_protocol always;
                server { listen 127.0.0.1:\(port); \(locations) }
                \(servers)
            }
            """
    }
}
