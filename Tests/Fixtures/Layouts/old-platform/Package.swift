// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "OldPlatform", platforms: [.macOS(.v12), .iOS(.v15)],
    products: [.library(name: "OldPlatform", targets: ["OldPlatform"])],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [.target(name: "OldPlatform")]
)
