#ifndef CSUPPORT_HEAP_H
#define CSUPPORT_HEAP_H

#include <stddef.h>

/// Bytes that the process has allocated and not freed, with the allocator's overhead; 0 where the system does not say.
size_t cs_heap_bytes_in_use(void);

#endif
