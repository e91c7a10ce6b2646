// swift-tools-version: 6.2
import PackageDescription

// Somebody else's cache, brought to the harness: one file that says how it is driven, and one line of main. It would not
// build if what that takes were not public.
let package = Package(
    name: "OutsideCache",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [
        .executableTarget(name: "OutsideCache", dependencies: [.product(name: "GaugeKit", package: "CacheGauge")])
    ],
    swiftLanguageModes: [.v6]
)
