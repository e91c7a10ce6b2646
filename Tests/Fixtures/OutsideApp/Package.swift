// swift-tools-version: 6.2
import PackageDescription

// Another package, which depends on URLCaching as any application would: it would not build if a library
// target of ours used unsafe flags, or if what an application needs were not public.
let package = Package(
    name: "OutsideApp",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [
        .executableTarget(
            name: "OutsideApp",
            dependencies: [
                .product(name: "URLCaching", package: "CacheGauge"),
                .product(name: "HTTPCache", package: "CacheGauge"),
                .product(name: "HTTPSemantics", package: "CacheGauge"),
            ])
    ],
    swiftLanguageModes: [.v6]
)
