// swift-tools-version: 5.9
import PackageDescription

// The target takes every source file of the package.
let package = Package(
    name: "WholeRoot",
    products: [.library(name: "WholeRoot", targets: ["WholeRoot"])],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [.target(name: "WholeRoot", path: ".")]
)
