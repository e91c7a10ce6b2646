/// A way to fetch, while the calling thread waits.
protocol Fetch {
    /// Fetches the URL; returns the length of the body.
    func bytes(from url: String) -> Int
}
