#ifndef CSUPPORT_PROCESSORS_H
#define CSUPPORT_PROCESSORS_H

#include <stddef.h>

/// Reads the processors that the calling thread may run on, a bit each, into `length` bytes that were zero. 0 or an
/// errno; ENOTSUP where threads are not bound to processors.
int cs_thread_processors(void *bits, size_t length);

/// Lets the calling thread, and what it starts, run on these processors only. 0 or an errno.
int cs_bind_thread(const void *bits, size_t length);

#endif
