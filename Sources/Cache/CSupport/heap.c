#include "heap.h"

#include <stdlib.h>  // defines __GLIBC__

#if defined(__APPLE__)
#include <malloc/malloc.h>

size_t cs_heap_bytes_in_use(void) {
    malloc_statistics_t statistics;
    malloc_zone_statistics(NULL, &statistics);
    return statistics.size_in_use;
}
#elif defined(__GLIBC__)
#include <malloc.h>

size_t cs_heap_bytes_in_use(void) {
    struct mallinfo2 information = mallinfo2();
    return information.uordblks + information.hblkhd;
}
#else
size_t cs_heap_bytes_in_use(void) { return 0; }
#endif
