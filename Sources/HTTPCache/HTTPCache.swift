// HTTPCache: the engine that joins HTTPSemantics and CacheTiers.
