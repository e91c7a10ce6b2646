// swift-tools-version: 6.2
import PackageDescription

// A cache of another package in the harness: one file that adapts it, and one line of main. It builds only if all the
// declarations that it needs are public.
let package = Package(
    name: "OutsideCache",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [
        .executableTarget(name: "OutsideCache", dependencies: [.product(name: "GaugeKit", package: "CacheGauge")])
    ],
    swiftLanguageModes: [.v6]
)
