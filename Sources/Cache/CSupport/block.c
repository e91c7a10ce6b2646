#ifndef _GNU_SOURCE
#define _GNU_SOURCE  // mremap
#endif
#include "block.h"

#include <stdlib.h>

#if defined(__linux__)
#include <string.h>
#include <sys/mman.h>

static void *allocate(size_t size, size_t least_in_pages) {
    if (size < least_in_pages) return malloc(size);
    void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return pages == MAP_FAILED ? NULL : pages;
}

void *cs_block_resize(void *block, size_t size, size_t wanted, size_t least_in_pages) {
    if (size < least_in_pages && wanted < least_in_pages) return realloc(block, wanted);
    if (size >= least_in_pages && wanted >= least_in_pages) {
        void *moved = mremap(block, size, wanted, MREMAP_MAYMOVE);
        return moved == MAP_FAILED ? NULL : moved;
    }
    void *other = allocate(wanted, least_in_pages);
    if (other == NULL) return NULL;
    if (block != NULL) memcpy(other, block, size < wanted ? size : wanted);
    cs_block_free(block, size, least_in_pages);
    return other;
}

void cs_block_free(void *block, size_t size, size_t least_in_pages) {
    if (size < least_in_pages) {
        free(block);
    } else {
        munmap(block, size);
    }
}
#else
void *cs_block_resize(void *block, size_t size, size_t wanted, size_t least_in_pages) {
    (void)size, (void)least_in_pages;
    return realloc(block, wanted);
}

void cs_block_free(void *block, size_t size, size_t least_in_pages) {
    (void)size, (void)least_in_pages;
    free(block);
}
#endif
