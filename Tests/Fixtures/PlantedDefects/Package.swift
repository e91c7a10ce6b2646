// swift-tools-version: 6.2
import PackageDescription

// A cache of another package with a defect that is chosen when it is built: CACHEGAUGE_PLANT=scan swift build.
// The variable concerns this target alone, so that choosing another defect compiles two files.
let plant = Context.environment["CACHEGAUGE_PLANT"] ?? ""
let package = Package(
    name: "PlantedDefects",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [
        .executableTarget(
            name: "PlantedDefects",
            dependencies: [
                .product(name: "GaugeKit", package: "CacheGauge"),
                .product(name: "AllocationCounter", package: "CacheGauge"),
            ],
            swiftSettings: plant.isEmpty ? [] : [.define("PLANT_\(plant.uppercased())")])
    ],
    swiftLanguageModes: [.v6]
)
