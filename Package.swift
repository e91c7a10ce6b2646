// swift-tools-version: 6.2
import PackageDescription

// Imports point one way, and the dependencies below keep them so. HTTPSemantics and CacheTiers do not know each other,
// HTTPCache joins them, and URLCaching adds Foundation's types. The harness knows caches only by its own protocols.
// HTTPReference cannot see what it judges. The executables know everything.

/// The harness, from the bottom to the top. GaugeTraces and GaugeMeasurement do not know each other.
let gaugeModules = ["GaugeSupport", "GaugeTraces", "GaugeMeasurement", "GaugeKit"]
let gauge = gaugeModules.map { Target.Dependency(stringLiteral: $0) }

let package = Package(
    name: "CacheGauge",
    platforms: [.macOS(.v15), .iOS(.v18)],
    products: [
        .library(name: "HTTPSemantics", targets: ["HTTPSemantics"]),
        .library(name: "CacheTiers", targets: ["CacheTiers"]),
        .library(name: "HTTPCache", targets: ["HTTPCache"]),
        .library(name: "URLCaching", targets: ["URLCaching"]),
        .library(name: "HTTPReference", targets: ["HTTPReference"]),
        .library(name: "GaugeKit", targets: ["GaugeKit"]),
        .library(name: "AllocationCounter", targets: ["AllocationCounter"]),
        .executable(name: "cachegauge", targets: ["cachegauge"]),
        .executable(name: "cachefuzz", targets: ["cachefuzz"]),
        .plugin(name: "GaugePlugin", targets: ["GaugePlugin"]),
    ],
    targets: [
        // The cache
        .target(name: "CSupport", path: "Sources/Cache/CSupport"),
        .target(name: "Platform", dependencies: ["CSupport"], path: "Sources/Cache/Platform"),
        .target(
            name: "HTTPSemantics", path: "Sources/Cache/HTTPSemantics", exclude: ["Parsing/generate-directives"]),
        .target(
            name: "CacheTiers", dependencies: ["Platform", "CSupport"], path: "Sources/Cache/CacheTiers",
            exclude: ["DiskTier/FORMAT.md", "MemoryTier/DESIGN.md"]),
        .target(
            name: "HTTPCache", dependencies: ["HTTPSemantics", "CacheTiers", "Platform"],
            path: "Sources/Cache/HTTPCache"),
        // Apart from URLCaching, since it does without FoundationNetworking, which a static build would have to link.
        .target(
            name: "CurlTransport", dependencies: ["HTTPCache", "HTTPSemantics", "Platform", "CSupport"],
            path: "Sources/Cache/CurlTransport"),
        .target(
            name: "URLCaching",
            dependencies: ["CurlTransport", "HTTPCache", "HTTPSemantics", "CacheTiers", "Platform"],
            path: "Sources/Cache/URLCaching"),

        // The harness
        .target(name: "GaugeSupport", dependencies: ["Platform"], path: "Sources/Harness/GaugeSupport"),
        .target(
            name: "GaugeTraces", dependencies: ["GaugeSupport", "Platform", "CSupport"],
            path: "Sources/Harness/GaugeTraces", exclude: ["Workloads/WORKLOADS.md"]),
        .target(
            name: "GaugeMeasurement", dependencies: ["GaugeSupport", "Platform", "CSupport"],
            path: "Sources/Harness/GaugeMeasurement"),
        .target(
            name: "GaugeKit",
            dependencies: ["GaugeSupport", "GaugeTraces", "GaugeMeasurement", "Platform", "CSupport"],
            path: "Sources/Harness/GaugeKit"),
        .plugin(
            name: "GaugePlugin",
            capability: .command(
                intent: .custom(verb: "gauge", description: "Adds a gauge to the package, or builds and runs it."),
                permissions: [
                    .writeToPackageDirectory(reason: "init adds a target, and a gauge may write baselines and results.")
                ])),
        // In C and apart from CSupport: it takes malloc's place in whatever links it, and applications link CSupport.
        .target(name: "AllocationCounter", path: "Sources/Harness/AllocationCounter"),

        // The oracles
        .target(name: "HTTPReference", path: "Sources/Oracles/HTTPReference"),
        .target(
            name: "VirtualOrigin", dependencies: ["HTTPCache", "HTTPSemantics", "CacheTiers", "Platform"],
            path: "Sources/Oracles/VirtualOrigin"),
        .target(
            name: "HTTPAgreement", dependencies: ["HTTPReference", "HTTPSemantics"],
            path: "Sources/Oracles/HTTPAgreement"),

        // The executables
        .executableTarget(
            name: "cachegauge",
            dependencies: gauge + [
                "AllocationCounter", "HTTPReference", "CurlTransport", "URLCaching", "HTTPCache", "HTTPSemantics",
                "CacheTiers", "VirtualOrigin", "Platform", "CSupport",
            ],
            path: "Benchmarks/cachegauge"),
        .executableTarget(
            name: "cachefuzz",
            dependencies: [
                "GaugeSupport", "GaugeTraces", "HTTPAgreement", "HTTPReference", "HTTPCache", "HTTPSemantics",
                "CacheTiers", "Platform", "CSupport", "VirtualOrigin", "DiskSimulation", "WorkCounter", "CurlTransport",
                "LoopbackOrigin",
            ],
            path: "Fuzz/cachefuzz"),
        .target(name: "WorkCounter", path: "Fuzz/WorkCounter"),

        // The tests
        .testTarget(
            name: "HTTPSemanticsTests",
            dependencies: ["HTTPSemantics", "HTTPReference", "HTTPAgreement", "Platform", "TestSupport"],
            exclude: ["RFC9111.md"]),
        .target(name: "ForkedChildren", dependencies: ["Platform"], path: "Tests/ForkedChildren"),
        .testTarget(name: "PlatformTests", dependencies: ["Platform", "CSupport", "ForkedChildren"]),
        .testTarget(name: "HTTPReferenceTests", dependencies: ["HTTPReference"]),
        .target(
            name: "DiskSimulation", dependencies: ["CacheTiers", "CSupport", "Platform"], path: "Tests/DiskSimulation"),
        // In C, since it takes the place of the C library's functions in the executable of the tests.
        .target(name: "FaultyCalls", path: "Tests/FaultyCalls"),
        .testTarget(
            name: "CacheTiersTests",
            dependencies: [
                "CacheTiers", "DiskSimulation", "FaultyCalls", "ForkedChildren", "HeapCycles", "Platform", "CSupport",
                "TestSupport",
            ],
            exclude: ["DiskTier/Images"]),
        .executableTarget(
            name: "HeapCycles", dependencies: ["CacheTiers", "DiskSimulation", "CSupport"],
            path: "Tests/Fixtures/HeapCycles"),
        .testTarget(
            name: "HTTPCacheTests",
            dependencies: [
                "HTTPCache", "HTTPSemantics", "CacheTiers", "DiskSimulation", "Platform", "VirtualOrigin",
                "TestSupport",
            ]),
        .testTarget(
            name: "URLCachingTests",
            dependencies: [
                "CurlTransport", "URLCaching", "HTTPCache", "HTTPSemantics", "CacheTiers", "Platform",
                "LoopbackOrigin",
                "SocketTransport", "VirtualOrigin", "TestSupport", "SessionStress", "CacheOwner",
            ],
            exclude: ["Transport/Certificates"]),
        .executableTarget(name: "CacheOwner", dependencies: ["URLCaching"], path: "Tests/Fixtures/CacheOwner"),
        .executableTarget(
            name: "SessionStress",
            dependencies: [
                "URLCaching", "ForkedChildren", "LoopbackOrigin", "SocketTransport", "Platform", "CSupport",
            ],
            path: "Tests/Fixtures/SessionStress"),
        .target(
            name: "SocketTransport", dependencies: ["HTTPCache", "HTTPSemantics", "LoopbackOrigin", "Platform"],
            path: "Tests/SocketTransport"),
        .target(name: "LoopbackOrigin", dependencies: ["Platform"], path: "Tests/LoopbackOrigin"),
        // In C, since it has to run before the tests do.
        .target(name: "BeforeTests", path: "Tests/BeforeTests"),
        .target(
            name: "TestSupport", dependencies: ["GaugeSupport", "Platform", "BeforeTests"], path: "Tests/Support"),
        .executableTarget(
            name: "LeftBehind",
            dependencies: [
                "URLCaching", "HTTPCache", "CacheTiers", "GaugeTraces", "GaugeMeasurement", "GaugeSupport",
                "FaultyCalls", "LoopbackOrigin", "Platform", "CSupport",
            ],
            path: "Tests/Fixtures/LeftBehind"),
        // In C, since it takes the place of the C library's functions in an executable.
        .target(name: "CountedCopies", path: "Tests/CountedCopies"),
        .executableTarget(
            name: "CountedGrowth",
            dependencies: [
                "HTTPSemantics", "HTTPReference", "CacheTiers", "GaugeTraces", "GaugeSupport", "AllocationCounter",
                "CountedCopies", "CSupport", "Platform",
            ],
            path: "Tests/Fixtures/CountedGrowth"),
        .executableTarget(
            name: "PlantedGauge", dependencies: gauge + ["Platform"], path: "Tests/Fixtures/PlantedGauge"),
        .testTarget(
            name: "CachegaugeTests",
            dependencies: gauge + [
                "TestSupport", "cachefuzz", "cachegauge", "CountedGrowth", "LeftBehind", "CacheTiers", "HTTPAgreement",
                "HTTPSemantics", "Platform",
            ]),
        .testTarget(
            name: "CachefuzzTests",
            dependencies: ["cachefuzz", "CacheTiers", "GaugeTraces", "HTTPAgreement", "TestSupport"]),
    ]
        + gaugeModules.map {
            .testTarget(name: $0 + "Tests", dependencies: gauge + ["PlantedGauge", "Platform", "TestSupport"])
        },
    swiftLanguageModes: [.v6]
)

// CACHEGAUGE_TARGETS builds a part of the package alone, in less time than the whole: "threads" is the code that
// several threads share, for ThreadSanitizer in .ci/run; "cache" is the cache and its tests, without the harness.
let threads: Set = [
    "CSupport", "Platform", "HTTPSemantics", "CacheTiers", "HTTPCache", "CurlTransport", "URLCaching", "DiskSimulation",
    "LoopbackOrigin", "SocketTransport", "SessionStress", "PlatformTests", "CacheTiersTests", "FaultyCalls",
    "ForkedChildren", "HeapCycles", "GaugeSupport", "TestSupport", "BeforeTests",
]
let cache = threads.union([
    "HTTPReference", "HTTPAgreement", "VirtualOrigin", "CacheOwner", "HTTPSemanticsTests", "HTTPReferenceTests",
    "HTTPCacheTests", "URLCachingTests",
])
if let part = ["threads": threads, "cache": cache][Context.environment["CACHEGAUGE_TARGETS"] ?? ""] {
    package.targets.removeAll { !part.contains($0.name) }
    package.products.removeAll { !part.contains($0.name) }
}
