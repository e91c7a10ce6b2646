extension FuzzTarget {
    /// Every target. One line each, so that additions merge.
    static let all: [FuzzTarget] = [
        .canary,
        .cacheControl,
        .entityTag,
        .fieldBlock,
        .freshness,
        .httpDate,
        .range,
        .reuse,
        .vary,
        .memoryTier,
        .urlKey,
    ]
}
