/* Status flags of the arithmetic and logic instructions.
 *
 * Source: "AVR Instruction Set Manual" (DS40002198), the boolean formulae of each instruction.
 */
#ifndef AVR_ALU_H
#define AVR_ALU_H

#include "machine.h"

enum {
    FLAGS_LOGIC = FLAG_S | FLAG_V | FLAG_N | FLAG_Z,
    FLAGS_ARITHMETIC = FLAGS_LOGIC | FLAG_H | FLAG_C,
};

/* S = N xor V, with N = bit 7 of the result. */
static inline uint32_t sign_flags(uint32_t result, uint32_t overflow) {
    uint32_t negative = result >> 7 & 1;
    return negative << 2 | overflow << 3 | (negative ^ overflow) << 4;
}

static inline void set_flags(uint32_t mask, uint32_t flags) {
    cpu.data[SREG] = (uint8_t)((cpu.data[SREG] & ~mask) | flags);
}

static inline uint8_t alu_add(uint32_t a, uint32_t b, uint32_t carry) {
    uint32_t wide = a + b + carry, result = wide & 0xFF;
    uint32_t half = (a ^ b ^ wide) >> 4 & 1;
    uint32_t overflow = (~(a ^ b) & (a ^ result)) >> 7 & 1;
    set_flags(FLAGS_ARITHMETIC, wide >> 8 | (uint32_t)(result == 0) << 1 | sign_flags(result, overflow) | half << 5);
    return (uint8_t)result;
}

/* With keep_zero (SBC, SBCI, CPC) a zero result leaves Z as it was, so that Z tells of the whole number. */
static inline uint8_t alu_subtract(uint32_t a, uint32_t b, uint32_t borrow, bool keep_zero) {
    uint32_t wide = a - b - borrow, result = wide & 0xFF;
    uint32_t half = (a ^ b ^ wide) >> 4 & 1;
    uint32_t overflow = ((a ^ b) & (a ^ result)) >> 7 & 1;
    uint32_t zero = result != 0 ? 0 : keep_zero ? cpu.data[SREG] & FLAG_Z : FLAG_Z;
    set_flags(FLAGS_ARITHMETIC, (wide >> 8 & 1) | zero | sign_flags(result, overflow) | half << 5);
    return (uint8_t)result;
}

static inline uint8_t alu_logic(uint32_t result) {
    set_flags(FLAGS_LOGIC, (uint32_t)(result == 0) << 1 | sign_flags(result, 0));
    return (uint8_t)result;
}

static inline uint8_t alu_complement(uint32_t value) {
    uint32_t result = ~value & 0xFF;
    set_flags(FLAGS_LOGIC | FLAG_C, FLAG_C | (uint32_t)(result == 0) << 1 | sign_flags(result, 0));
    return (uint8_t)result;
}

/* INC and DEC leave H and C alone; overflow_result is the result at which V is set (0x80 or 0x7F). */
static inline uint8_t alu_count(uint32_t result, uint32_t overflow_result) {
    set_flags(FLAGS_LOGIC, (uint32_t)(result == 0) << 1 | sign_flags(result, result == overflow_result));
    return (uint8_t)result;
}

/* LSR, ASR, ROR: V = N xor C after the shift. */
static inline uint8_t alu_shift_right(uint32_t value, uint32_t top_bit) {
    uint32_t result = value >> 1 | top_bit, carry = value & 1;
    uint32_t overflow = (result >> 7 & 1) ^ carry;
    set_flags(FLAGS_LOGIC | FLAG_C, carry | (uint32_t)(result == 0) << 1 | sign_flags(result, overflow));
    return (uint8_t)result;
}

static inline void alu_pair_flags(uint32_t result, uint32_t carry, uint32_t overflow) {
    set_flags(FLAGS_LOGIC | FLAG_C, carry | (uint32_t)(result == 0) << 1 | sign_flags(result >> 8, overflow));
}

/* MUL and FMUL families: product to R1:R0; C = bit 15 of the product before the fractional shift. */
static inline void alu_product(uint32_t product, bool is_fractional) {
    uint32_t carry = product >> 15 & 1;
    uint32_t result = (is_fractional ? product << 1 : product) & 0xFFFF;
    set_pair(0, result);
    set_flags(FLAG_Z | FLAG_C, carry | (uint32_t)(result == 0) << 1);
}

#endif
