struct Versioned {}
