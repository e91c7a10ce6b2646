extension FuzzTarget {
    /// Every target. One line each, so that additions merge.
    static let all: [FuzzTarget] = [
        .canary,
        .cacheControl,
        .engine,
        .entityTag,
        .fieldBlock,
        .freshness,
        .httpDate,
        .range,
        .reuse,
        .twoTier,
        .vary,
        .memoryTier,
        .urlKey,
    ]
}
