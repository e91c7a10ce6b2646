#include "checksum.h"

#include <stdbool.h>
#include <string.h>

// Three ways to the same number, best first:
//   x86-64  the crc32 instruction of SSE 4.2 in three independent lanes, since one takes 3 cycles but one can start
//           every cycle; lanes are joined by a carry-less multiplication. Chosen at run time.
//   arm64   the crc32c instructions, where the compiler may assume them (every Apple processor, ARMv8.1 and later).
//   others  eight table lookups for eight bytes ("slicing by 8", Kounavis and Berry 2005).
// All state below is the raw register: not inverted at either end, and reflected as the instructions have it.

#define POLYNOMIAL 0x82F63B78u  // Castagnoli's, reflected

static uint32_t table[8][256];

__attribute__((constructor)) static void make_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (POLYNOMIAL & (0u - (crc & 1)));
        table[0][byte] = crc;
    }
    for (int slice = 1; slice < 8; slice++)
        for (uint32_t byte = 0; byte < 256; byte++) {
            uint32_t before = table[slice - 1][byte];
            table[slice][byte] = (before >> 8) ^ table[0][before & 0xFF];
        }
}

static uint32_t portable(uint32_t crc, const unsigned char *at, size_t length) {
    for (; length >= 8; at += 8, length -= 8) {
        // By bytes and shifts: right on either byte order, and compiled to loads on the little-endian one.
        uint32_t low = ((uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24) ^ crc;
        crc = table[7][low & 0xFF] ^ table[6][low >> 8 & 0xFF] ^ table[5][low >> 16 & 0xFF] ^ table[4][low >> 24]
            ^ table[3][at[4]] ^ table[2][at[5]] ^ table[1][at[6]] ^ table[0][at[7]];
    }
    while (length--) crc = (crc >> 8) ^ table[0][(crc ^ *at++) & 0xFF];
    return crc;
}

#if defined(__x86_64__)

#include <immintrin.h>

#define HARDWARE __attribute__((target("sse4.2,pclmul")))

static inline uint64_t word(const unsigned char *at) {
    uint64_t value;
    memcpy(&value, at, 8);
    return value;
}

// What a register becomes when as many zero bytes follow as `shift` stands for, still to be reduced: the product's
// 63 bits want a crc32 instruction, which multiplies by x^32; with the bit that a reflected product is short of,
// `shift` is x^(8 * bytes - 33) mod P.
HARDWARE static inline uint64_t shifted(uint64_t crc, uint32_t shift) {
    __m128i product = _mm_clmulepi64_si128(_mm_cvtsi64_si128((long long)crc), _mm_cvtsi32_si128((int)shift), 0);
    return (uint64_t)_mm_cvtsi128_si64(product);
}

// Whole blocks of three lanes of `lane` bytes each.
HARDWARE __attribute__((always_inline)) static inline uint64_t
blocks(uint64_t crc, const unsigned char **at, size_t *length, size_t lane, uint32_t one, uint32_t two) {
    while (*length >= 3 * lane) {
        uint64_t second = 0, third = 0;
        const unsigned char *bytes = *at;
        for (size_t offset = 0; offset < lane; offset += 8) {
            crc = __builtin_ia32_crc32di(crc, word(bytes + offset));
            second = __builtin_ia32_crc32di(second, word(bytes + lane + offset));
            third = __builtin_ia32_crc32di(third, word(bytes + 2 * lane + offset));
        }
        crc = __builtin_ia32_crc32di(0, shifted(crc, two) ^ shifted(second, one)) ^ third;
        *at += 3 * lane;
        *length -= 3 * lane;
    }
    return crc;
}

HARDWARE static uint32_t hardware(uint32_t start, const unsigned char *at, size_t length) {
    uint64_t crc = start;
    crc = blocks(crc, &at, &length, 1024, 0x170076FAu, 0xA51B6135u);
    crc = blocks(crc, &at, &length, 256, 0xB9E02B86u, 0xDD7E3B0Cu);
    crc = blocks(crc, &at, &length, 64, 0x9E4ADDF8u, 0x0D3B6092u);
    for (; length >= 8; at += 8, length -= 8) crc = __builtin_ia32_crc32di(crc, word(at));
    while (length--) crc = __builtin_ia32_crc32qi((uint32_t)crc, *at++);
    return (uint32_t)crc;
}

static bool has_hardware(void) {
    return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("pclmul");
}

#elif defined(__aarch64__) && defined(__ARM_FEATURE_CRC32)

#include <arm_acle.h>

static uint32_t hardware(uint32_t crc, const unsigned char *at, size_t length) {
    for (; length >= 8; at += 8, length -= 8) {
        uint64_t value;
        memcpy(&value, at, 8);
        crc = __crc32cd(crc, value);
    }
    while (length--) crc = __crc32cb(crc, *at++);
    return crc;
}

static bool has_hardware(void) { return true; }

#else

static uint32_t hardware(uint32_t crc, const unsigned char *at, size_t length) { return portable(crc, at, length); }

static bool has_hardware(void) { return false; }

#endif

uint32_t cs_crc32c(uint32_t crc, const void *bytes, size_t length) {
    return ~(has_hardware() ? hardware : portable)(~crc, bytes, length);
}

uint32_t cs_crc32c_portable(uint32_t crc, const void *bytes, size_t length) { return ~portable(~crc, bytes, length); }
