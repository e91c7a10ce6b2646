import GaugeKit

@main
struct OutsideCache {
    static func main() {
        Gauge.main(subjects: [Mine.self, Values.self], asyncSubjects: [Shelf.self], simulated: [Proxy.self])
    }
}
