#ifndef CSUPPORT_CHECKSUM_H
#define CSUPPORT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `length` bytes, continued from `crc` (0 to begin).
uint32_t cs_crc32c(uint32_t crc, const void *bytes, size_t length);

#endif
