// swift-format-ignore-file
// README.md, as a harness.
import GaugeKit

@main
struct MyGauge {
    static func main() { Gauge.main(subjects: [Mine.self]) }     // Mine conforms to CacheSubject, some 20 lines
}
