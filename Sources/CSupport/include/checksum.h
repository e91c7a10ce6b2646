#ifndef CSUPPORT_CHECKSUM_H
#define CSUPPORT_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C (Castagnoli, RFC 3720 appendix B.4) of `length` bytes, continued from `crc` (0 to begin).
///
/// Uses the processor's instructions where it has them: 4 KiB in about 130 ns. Otherwise about 2 µs.
uint32_t cs_crc32c(uint32_t crc, const void *bytes, size_t length);

/// The same by tables alone, so that tests can compare the two on a processor that has the instructions.
uint32_t cs_crc32c_portable(uint32_t crc, const void *bytes, size_t length);

#endif
