#include "checksum.h"

#include <stdbool.h>
#include <string.h>

// Four ways to the same number, best first:
//   x86-64 with AVX-512 and VPCLMULQDQ  four vectors of four lanes each, folded by carry-less multiplication (Gopal et
//           al. 2009, "Fast CRC Computation for Generic Polynomials Using PCLMULQDQ Instruction"). 256 bytes and more.
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

#define WIDE __attribute__((target("sse4.2,pclmul,avx512f,vpclmulqdq")))

// Multipliers that move a lane of 128 bits on by `bits` bits: of its first half x^(bits + 32) mod P, of its second
// x^(bits - 32) mod P, each reflected and, since a reflected product is short of one, shifted by a bit.
#define ON_BY_2048 _mm_set_epi64x(0xB9E02B86, 0xDCB17AA4)
#define ON_BY_512 _mm_set_epi64x(0x9E4ADDF8, 0x740EEF02)
#define ON_BY_384 _mm_set_epi64x(0x1D82C63DA, 0x1C291D04)
#define ON_BY_256 _mm_set_epi64x(0xBA4FC28E, 0x1384AA63A)
#define ON_BY_128 _mm_set_epi64x(0x14CD00BD6, 0xF20C0DFE)

// `lanes` moved on, with `next` added.
WIDE __attribute__((always_inline)) static inline __m512i folded(__m512i lanes, __m512i multipliers, __m512i next) {
    __m512i first = _mm512_clmulepi64_epi128(lanes, multipliers, 0x00);
    __m512i second = _mm512_clmulepi64_epi128(lanes, multipliers, 0x11);
    return _mm512_ternarylogic_epi64(first, second, next, 0x96);  // exclusive or of the three
}

WIDE static uint32_t wide(uint32_t start, const unsigned char *at, size_t length) {
    const size_t vector = 64, block = 4 * vector;
    if (length < block) return hardware(start, at, length);
    // What came before is added to the first four bytes.
    __m512i a = _mm512_xor_si512(_mm512_loadu_si512(at), _mm512_zextsi128_si512(_mm_cvtsi32_si128((int)start)));
    __m512i b = _mm512_loadu_si512(at + vector);
    __m512i c = _mm512_loadu_si512(at + 2 * vector);
    __m512i d = _mm512_loadu_si512(at + 3 * vector);
    const __m512i by_block = _mm512_broadcast_i32x4(ON_BY_2048), by_vector = _mm512_broadcast_i32x4(ON_BY_512);
    for (at += block, length -= block; length >= block; at += block, length -= block) {
        a = folded(a, by_block, _mm512_loadu_si512(at));
        b = folded(b, by_block, _mm512_loadu_si512(at + vector));
        c = folded(c, by_block, _mm512_loadu_si512(at + 2 * vector));
        d = folded(d, by_block, _mm512_loadu_si512(at + 3 * vector));
    }
    d = folded(folded(folded(a, by_vector, b), by_vector, c), by_vector, d);
    for (; length >= vector; at += vector, length -= vector) d = folded(d, by_vector, _mm512_loadu_si512(at));
    // Each lane to where the last one is; that one stays.
    __m512i by_lanes = _mm512_inserti32x4(_mm512_setzero_si512(), ON_BY_384, 0);
    by_lanes = _mm512_inserti32x4(by_lanes, ON_BY_256, 1);
    by_lanes = _mm512_inserti32x4(by_lanes, ON_BY_128, 2);
    d = folded(d, by_lanes, _mm512_maskz_mov_epi64(0xC0, d));
    __m128i all = _mm_xor_si128(
        _mm_xor_si128(_mm512_extracti32x4_epi32(d, 0), _mm512_extracti32x4_epi32(d, 1)),
        _mm_xor_si128(_mm512_extracti32x4_epi32(d, 2), _mm512_extracti32x4_epi32(d, 3)));
    uint64_t crc = __builtin_ia32_crc32di(0, (uint64_t)_mm_cvtsi128_si64(all));
    crc = __builtin_ia32_crc32di(crc, (uint64_t)_mm_extract_epi64(all, 1));
    return hardware((uint32_t)crc, at, length);
}

static bool has_wide(void) {
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("vpclmulqdq") && has_hardware();
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
#if defined(__x86_64__)
    if (has_wide()) return ~wide(~crc, bytes, length);
#endif
    return cs_crc32c_narrow(crc, bytes, length);
}

uint32_t cs_crc32c_narrow(uint32_t crc, const void *bytes, size_t length) {
    return ~(has_hardware() ? hardware : portable)(~crc, bytes, length);
}

uint32_t cs_crc32c_portable(uint32_t crc, const void *bytes, size_t length) { return ~portable(~crc, bytes, length); }
