/// A way to fetch, while the calling thread waits.
protocol Fetch {
    /// Fetches the URL; returns the length of the body.
    func bytes(from url: String) -> Int
    /// Fetches several times at once; returns the length of all bodies.
    func bytes(from url: String, atOnce count: Int) -> Int
}

extension Fetch {
    func bytes(from url: String, atOnce count: Int) -> Int {
        (0..<count).reduce(0) { sum, _ in sum + bytes(from: url) }
    }
}
