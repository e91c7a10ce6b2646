// swift-tools-version: 5.9
import PackageDescription

// Newer versions of Swift read this file alone.
let package = Package(
    name: "Versioned", platforms: [.macOS("15.0")],
    products: [.library(name: "Versioned", targets: ["Versioned"])],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [.target(name: "Versioned")]
)
