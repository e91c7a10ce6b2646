// swift-tools-version: 6.2
import PackageDescription

// A package of its own, since CacheGauge depends on nothing outside; nothing depends on this one.

let package = Package(
    name: "PublicCaches",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "CacheGauge", path: "../.."),
        .package(url: "https://github.com/nicklockwood/LRUCache.git", exact: "1.2.1"),
        .package(url: "https://github.com/0xLeif/Cache.git", exact: "2.1.3"),
        .package(url: "https://github.com/tornikegomareli/swift-lru-cache.git", exact: "0.4.3"),
        .package(url: "https://github.com/Kitura/Kitura-Cache.git", exact: "2.0.200"),
        .package(url: "https://github.com/mcritz/MagiCache.git", exact: "1.0.2"),
        .package(url: "https://github.com/biren9/Cache-Store.git", exact: "0.0.9"),
    ],
    targets: [
        .executableTarget(
            name: "PublicCaches",
            dependencies: [
                .product(name: "GaugeKit", package: "CacheGauge"),
                .product(name: "CacheTiers", package: "CacheGauge"),
                .product(name: "URLCaching", package: "CacheGauge"),
                .product(name: "LRUCache", package: "LRUCache"),
                .product(name: "Cache", package: "Cache"),
                .product(name: "SwiftLRUCache", package: "swift-lru-cache"),
                .product(name: "KituraCache", package: "Kitura-Cache"),
                .product(name: "MagiCache", package: "MagiCache"),
                // Its module is called Cache, like 0xLeif's.
                .product(name: "Cache", package: "Cache-Store", moduleAliases: ["Cache": "FileStore"]),
            ])
    ],
    swiftLanguageModes: [.v6]
)
