// swift-tools-version: 6.2
import PackageDescription

// Two caches of another package with defects that are chosen when they are built: CACHEGAUGE_PLANT=stale,scan swift
// build. The variable concerns these targets alone, so that choosing other defects compiles three files.
let plants = (Context.environment["CACHEGAUGE_PLANT"] ?? "").split(separator: ",").map {
    SwiftSetting.define("PLANT_\($0.uppercased())")
}
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
            swiftSettings: plants),
        .executableTarget(
            name: "SmallCache", dependencies: [.product(name: "GaugeKit", package: "CacheGauge")], swiftSettings: plants
        ),
    ],
    swiftLanguageModes: [.v6]
)
