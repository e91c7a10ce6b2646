// swift-tools-version: 6.2
import PackageDescription

// The Swift examples of README.md and of the guides, word for word, so that CI compiles them.
let package = Package(
    name: "Examples",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [
        .executableTarget(name: "MyGauge", dependencies: [.product(name: "GaugeKit", package: "CacheGauge")]),
        .executableTarget(name: "ParserGauge", dependencies: [.product(name: "GaugeKit", package: "CacheGauge")]),
        .executableTarget(name: "MyApp", dependencies: [.product(name: "URLCaching", package: "CacheGauge")]),
        .executableTarget(name: "ReadmeGauge", dependencies: [.product(name: "GaugeKit", package: "CacheGauge")]),
        .executableTarget(name: "ReadmeApp", dependencies: [.product(name: "URLCaching", package: "CacheGauge")]),
        .executableTarget(
            name: "ReadmeTiers",
            dependencies: [
                .product(name: "CacheTiers", package: "CacheGauge"),
                .product(name: "HTTPSemantics", package: "CacheGauge"),
            ]),
    ],
    swiftLanguageModes: [.v6]
)
