extension FuzzTarget {
    /// Every target, one per line so that additions merge.
    static let all: [FuzzTarget] = [
        .application,
        .canary,
        .cacheControl,
        .diskCrash,
        .diskImage,
        .diskTier,
        .engine,
        .entityTag,
        .fieldBlock,
        .freshness,
        .har,
        .httpDate,
        .memoryTier,
        .policy,
        .range,
        .reuse,
        .traceFiles,
        .traceReader,
        .transport,
        .twoTier,
        .twoTierThreads,
        .urlKey,
        .vary,
        .workload,
    ]
}
