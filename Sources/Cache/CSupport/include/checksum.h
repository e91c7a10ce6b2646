#ifndef CSUPPORT_CHECKSUM_H
#define CSUPPORT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `length` bytes, continued from `crc` (0 to begin).
///
/// Uses the processor's instructions where it has them: 4 KiB in about 35 ns with AVX-512, 150 ns without. Otherwise
/// about 2 µs.
uint32_t cs_crc32c(uint32_t crc, const void *bytes, size_t length);

/// The same without vectors, and by tables alone, so that tests can compare them on a processor that has all
/// instructions.
uint32_t cs_crc32c_narrow(uint32_t crc, const void *bytes, size_t length);
uint32_t cs_crc32c_portable(uint32_t crc, const void *bytes, size_t length);

#endif
