#include "checksum.h"

// Reflected Castagnoli polynomial, one bit at a time.
uint32_t cs_crc32c(uint32_t crc, const void *bytes, size_t length) {
    const unsigned char *at = bytes;
    crc = ~crc;
    while (length--) {
        crc ^= *at++;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (0x82F63B78u & (0u - (crc & 1)));
    }
    return ~crc;
}
