import CSupport
import Platform

/// What this process holds at a moment. What a repetition takes and doesn't give back grows with their number.
struct Residue {
    /// Bytes of the heap in use. Exact only without the C library's caches of blocks, one a thread.
    var heap = 0
    var descriptors = 0
    /// Files and directories below a path.
    var files = 0
    /// Processes that were started and not waited for.
    var children = 0
    var threads = 0
    var mappings = 0

    /// - Parameter directory: the one in which all temporary files are made.
    init(in directory: String) {
        heap = Int(cs_heap_bytes_in_use())
        // One of them is that of the listing.
        descriptors = Self.names("/proc/self/fd").count - 1
        threads = Self.names("/proc/self/task").count
        mappings = Self.text("/proc/self/maps").count { $0 == UInt8(ascii: "\n") }
        children = Self.names("/proc/self/task").reduce(0) {
            $0 + Self.text("/proc/self/task/\($1)/children").count { $0 == UInt8(ascii: " ") }
        }
        files = Self.fileCount(directory)
    }

    mutating func lower(to other: Residue) {
        heap = min(heap, other.heap)
        descriptors = min(descriptors, other.descriptors)
        files = min(files, other.files)
        children = min(children, other.children)
        threads = min(threads, other.threads)
        mappings = min(mappings, other.mappings)
    }

    /// Whether this is more than an earlier one was, and some repetitions may take.
    func exceeds(_ earlier: Residue, after count: Int) -> Bool {
        heap > earlier.heap + Self.heapBytes(count) || descriptors > earlier.descriptors || files > earlier.files
            || children > earlier.children
            // Pools of threads grow and shrink as they like.
            || threads > earlier.threads + count / 4 || mappings > earlier.mappings + count / 4
    }

    /// How this one exceeds an earlier one: nothing, if it doesn't.
    func excess(over earlier: Residue, after count: Int) -> [String] {
        guard exceeds(earlier, after: count) else { return [] }
        let growth = [
            (heap - earlier.heap, "bytes of the heap"), (descriptors - earlier.descriptors, "descriptors"),
            (files - earlier.files, "files"), (children - earlier.children, "processes"),
            (threads - earlier.threads, "threads"), (mappings - earlier.mappings, "mappings"),
        ]
        return growth.filter { $0.0 > 0 }.map { "\($0.0) \($0.1) in \(count) repetitions" }
    }

    /// What the libraries give back later: a cancelled `Task.sleep` keeps its timer and its task, 544 bytes, until the
    /// time has come, and libdispatch keeps continuations, which on a busy machine are most. On the other hand, zlib's
    /// state has 7,000 bytes.
    private static func heapBytes(_ count: Int) -> Int { 3_072 * count + 16_384 }

    // By calls of the C library, after which nothing is kept.
    private static func names(_ path: String) -> [String] {
        guard let directory = opendir(path) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    private static func fileCount(_ path: String) -> Int {
        names(path).reduce(0) { $0 + 1 + fileCount("\(path)/\($1)") }
    }

    /// Read by calls, since files of /proc have no length.
    private static func text(_ path: String) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return [] }
        defer { close(descriptor) }
        var text: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = read(descriptor, &part, part.count)
            guard count > 0 else { return text }
            text += part[..<count]
        }
    }
}
