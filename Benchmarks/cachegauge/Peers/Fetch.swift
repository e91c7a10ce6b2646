/// A way to fetch, on the calling thread's behalf.
protocol Fetch {
    /// The length of the body; the thread waits for it.
    func bytes(from url: String) -> Int
}
