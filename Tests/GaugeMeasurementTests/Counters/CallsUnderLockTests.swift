#if canImport(Glibc)
import Foundation
import GaugeSupport
import TestSupport
import Testing

/// In a program of its own, since other threads of the tests call the system, too.
@Suite("System calls under a lock") struct CallsUnderLockTests {
    /// A call, and how often it enters the system.
    private static let calls: [(text: String, count: Int)] = [
        ("pwrite(file, \"x\", 1, 0)", 1), ("pwritev(file, part, 1, 0)", 1), ("preadv(file, part, 1, 0)", 1),
        ("posix_fallocate(file, 0, 4096)", 1), ("lseek(file, 0, SEEK_SET)", 1), ("fstat(file, &status)", 1),
        ("stat(\".\", &status)", 1), ("access(\".\", R_OK)", 1), ("close(open(\".\", O_RDONLY))", 2),
        ("close(openat(AT_FDCWD, \".\", O_RDONLY))", 2), ("sendto(sockets[0], \"x\", 1, 0, NULL, 0)", 1),
        ("recvfrom(sockets[1], byte, 1, 0, NULL, NULL)", 1),
        // The lock outside is still held.
        ("pthread_mutex_timedlock(&inner, &soon); pthread_mutex_unlock(&inner); fsync(file)", 1),
        ("pthread_rwlock_timedrdlock(&readers, &soon); pthread_rwlock_unlock(&readers); fsync(file)", 1),
        ("strlen(\".\")", 0),
    ]

    @Test("each call that enters the system counts under a lock, and none without") func counted() throws {
        let scratch = try ScratchDirectory()
        let (source, program) = ("\(scratch.path)/calls.c", "\(scratch.path)/calls")
        let lines = Self.calls.flatMap { ["    TRY(\($0.text));", "    HOLDING(\($0.text));"] }
        try """
        #define _GNU_SOURCE
        #include <AllocationCounter.h>
        #include <fcntl.h>
        #include <pthread.h>
        #include <stdio.h>
        #include <string.h>
        #include <sys/socket.h>
        #include <sys/stat.h>
        #include <sys/uio.h>
        #include <time.h>
        #include <unistd.h>

        static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;
        static pthread_rwlock_t readers = PTHREAD_RWLOCK_INITIALIZER;

        #define TRY(call) { uint64_t before = allocation_counter_calls_under_lock(); call; \\
            printf("%d ", (int)(allocation_counter_calls_under_lock() - before)); }
        #define HOLDING(call) { pthread_mutex_lock(&outer); TRY(call) pthread_mutex_unlock(&outer); }

        int main(int count, char **arguments) {
            int file = open(arguments[1], O_RDWR | O_CREAT, 0600), sockets[2];
            char byte[1];
            struct iovec part[1] = {{byte, 1}};
            struct stat status;
            struct timespec soon;
            socketpair(AF_UNIX, SOCK_DGRAM, 0, sockets);
            clock_gettime(CLOCK_REALTIME, &soon);
            soon.tv_sec += 60;
        \(lines.joined(separator: "\n"))
            return file < 0;
        }
        """.write(toFile: source, atomically: true, encoding: .utf8)
        let counter = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../../Sources/Harness/AllocationCounter").standardizedFileURL.path
        let compiled = try Tool(path: "/usr/bin/env").run(
            [
                "clang", "-w", "-I\(counter)/include", source, "\(counter)/locks.c", "\(counter)/interposition.c",
                "-o", program, "-pthread", "-ldl",
            ])
        try #require(compiled.status == 0, "\(compiled.errors)")
        let counted = try Tool(path: program).run(["\(scratch.path)/file"])
        let expected = Self.calls.map { "0 \($0.count)" }.joined(separator: " ")
        #expect(counted.output == expected + " ", "\(Self.calls.map(\.text))")
    }
}
#endif
