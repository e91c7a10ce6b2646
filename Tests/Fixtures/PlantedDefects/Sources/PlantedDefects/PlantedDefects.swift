import GaugeKit

@main
struct PlantedDefects {
    static func main() { Gauge.main(subjects: [Table.self]) }
}
