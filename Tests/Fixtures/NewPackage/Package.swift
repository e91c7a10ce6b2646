// swift-tools-version: 6.2
import PackageDescription

// A package without a gauge, which .ci/run copies to .build/guide/Mine for `swift package gauge init`. The manifest is
// written to be hard to change: "targets: [" stands in a comment and in a string.
let note = "targets: ["
let package = Package(
    name: "Mine",  // Not targets: [
    platforms: [.macOS(.v15)],
    products: [.library(name: "Mine", targets: ["Mine"])],
    dependencies: [.package(name: "CacheGauge", path: "../../..")],
    targets: [.target(name: "Mine", path: "Library")]
)
