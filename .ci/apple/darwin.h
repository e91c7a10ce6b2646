// What the package uses of Darwin, for type-checking on Linux: glibc's declarations, and Darwin's where they differ.
// Types are Apple's, values need not be.

// Clang defines both for Apple targets; glibc has a macro of the first name.
#undef __nonnull
#undef __nullable

// These differ: hidden while glibc's headers are read, and declared below.
#define pthread_t hidden_pthread_t
#define pthread_create hidden_pthread_create
#define pthread_detach hidden_pthread_detach
#define pthread_join hidden_pthread_join
#define pthread_self hidden_pthread_self
#define pthread_kill hidden_pthread_kill
#define pthread_equal hidden_pthread_equal
#define pthread_sigmask hidden_pthread_sigmask
#define stat hidden_stat
#define fstat hidden_fstat
#define lstat hidden_lstat

#include <arpa/inet.h>
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#undef pthread_t
#undef pthread_create
#undef pthread_detach
#undef pthread_join
#undef pthread_self
#undef pthread_kill
#undef pthread_equal
#undef pthread_sigmask
#undef stat
#undef fstat
#undef lstat

typedef struct _opaque_pthread_t *pthread_t;
int pthread_create(pthread_t _Nullable *_Nonnull thread, const pthread_attr_t *_Nullable attributes,
                   void *_Nullable (*_Nonnull body)(void *_Nonnull), void *_Nullable argument);
int pthread_detach(pthread_t _Nonnull thread);
int pthread_join(pthread_t _Nonnull thread, void *_Nullable *_Nullable result);
pthread_t _Nonnull pthread_self(void);
int pthread_kill(pthread_t _Nonnull thread, int signal);
int pthread_equal(pthread_t _Nonnull one, pthread_t _Nonnull other);
int pthread_sigmask(int how, const sigset_t *_Nullable set, sigset_t *_Nullable old);
int pthread_threadid_np(pthread_t _Nullable thread, unsigned long long *_Nullable number);
int pthread_cond_timedwait_relative_np(pthread_cond_t *_Nonnull, pthread_mutex_t *_Nonnull,
                                       const struct timespec *_Nullable);

struct stat {
    int st_dev;
    mode_t st_mode;
    unsigned short st_nlink;
    unsigned long long st_ino;
    unsigned int st_uid, st_gid;
    struct timespec st_atimespec, st_mtimespec, st_ctimespec;
    off_t st_size;
    long long st_blocks;
    int st_blksize;
};
int stat(const char *_Nonnull path, struct stat *_Nonnull);
int lstat(const char *_Nonnull path, struct stat *_Nonnull);
int fstat(int file, struct stat *_Nonnull);

struct statfs {
    unsigned int f_bsize;
    unsigned long long f_blocks, f_bfree, f_bavail;
    unsigned int f_type;
    char f_fstypename[16];
};
int statfs(const char *_Nonnull path, struct statfs *_Nonnull);
int fstatfs(int file, struct statfs *_Nonnull);

#undef S_IFMT
#undef S_IFREG
#undef S_IFDIR
#undef S_ISVTX
static const mode_t S_IFMT = 0170000, S_IFREG = 0100000, S_IFDIR = 0040000, S_ISVTX = 0001000;

typedef struct fstore {
    unsigned int fst_flags;
    int fst_posmode;
    off_t fst_offset, fst_length, fst_bytesalloc;
} fstore_t;
#define F_ALLOCATECONTIG 2
#define F_ALLOCATEALL 4
#define F_PEOFPOSMODE 3
#define F_PREALLOCATE 42
#define F_NOCACHE 48
#define F_FULLFSYNC 51
#define F_BARRIERFSYNC 85

#define CLOCK_UPTIME_RAW ((clockid_t)8)
#define CLOCK_UPTIME_RAW_APPROX ((clockid_t)9)
#define CLOCK_MONOTONIC_RAW_APPROX ((clockid_t)5)
unsigned long long clock_gettime_nsec_np(clockid_t clock);

int sysctlbyname(const char *_Nonnull name, void *_Nullable old, size_t *_Nullable length, void *_Nullable new_,
                 size_t new_length);
unsigned int arc4random(void);
void arc4random_buf(void *_Nonnull bytes, size_t count);
