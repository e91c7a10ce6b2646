/// The files of a trace by the times of their next requests: a heap with the earliest on top, and of equal times the file
/// that was named first.
struct FileTimes {
    private var heap: [(time: Double, file: Int)] = []

    init(_ files: [(time: Double, file: Int)]) {
        // A sorted array is a heap.
        heap = files.sorted { $0 < $1 }
    }

    /// The file with the earliest request.
    var first: Int? { heap.first?.file }

    /// Gives that file the time of its next request. A time before the last one, or none, counts as the last one.
    mutating func advance(to time: Double?) {
        heap[0].time = max(heap[0].time, time ?? heap[0].time)
        sink()
    }

    /// Removes the file with the earliest request.
    mutating func removeFirst() {
        heap.swapAt(0, heap.count - 1)
        heap.removeLast()
        sink()
    }

    private mutating func sink() {
        var at = 0
        while 2 * at + 1 < heap.count {
            var child = 2 * at + 1
            if child + 1 < heap.count, heap[child + 1] < heap[child] { child += 1 }
            guard heap[child] < heap[at] else { return }
            heap.swapAt(at, child)
            at = child
        }
    }
}
