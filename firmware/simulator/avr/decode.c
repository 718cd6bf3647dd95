/* Turns flash words into (operation, d, k) once, so that the instruction loop need not take bits apart.
 *
 * Source of the bit patterns: "AVR Instruction Set Manual" (DS40002198), the opcode line of each instruction; the
 * set is that of the AVRe+ core with a 16-bit program counter as listed in the ATmega328P datasheet, section 31.
 * Patterns outside it (ELPM, EIJMP, DES, XCH...) become OP_UNDEFINED, which runs as NOP.
 */
#include "decode.h"
#include "machine.h"

const uint8_t operation_count = OP_COUNT;

bool is_two_words(uint8_t operation) { return operation >= OP_FIRST_TWO_WORDS; }

static Instruction make(uint8_t operation, uint32_t d, uint32_t k) {
    return (Instruction){operation, (uint8_t)d, (uint16_t)k};
}

static uint32_t field_d5(uint32_t word) { return word >> 4 & 0x1F; }
static uint32_t field_r5(uint32_t word) { return (word & 0x0F) | (word >> 5 & 0x10); }
static uint32_t field_d4(uint32_t word) { return 16 + (word >> 4 & 0x0F); }
static uint32_t field_k8(uint32_t word) { return (word & 0x0F) | (word >> 4 & 0xF0); }
static uint32_t field_q6(uint32_t word) { return (word & 0x07) | (word >> 7 & 0x18) | (word >> 8 & 0x20); }

static uint32_t relative(uint32_t address, uint32_t offset, uint32_t sign_bit) {
    uint32_t distance = (offset ^ sign_bit) - sign_bit;
    return (address + 1 + distance) & (FLASH_WORDS - 1);
}

/* 0000 ....: NOP, MOVW, the signed multiplications, and CPC, SBC, ADD. */
static Instruction decode_group_0(uint32_t word) {
    uint32_t d = 16 + (word >> 4 & 7), r = 16 + (word & 7);
    switch (word >> 8) {
    case 0x00: return word == 0 ? make(OP_NOP, 0, 0) : make(OP_UNDEFINED, 0, 0);
    case 0x01: return make(OP_MOVW, (word >> 4 & 0x0F) * 2, (word & 0x0F) * 2);
    case 0x02: return make(OP_MULS, field_d4(word), 16 + (word & 0x0F));
    case 0x03:
        switch (word & 0x88) {
        case 0x00: return make(OP_MULSU, d, r);
        case 0x08: return make(OP_FMUL, d, r);
        case 0x80: return make(OP_FMULS, d, r);
        default: return make(OP_FMULSU, d, r);
        }
    default: {
        static const uint8_t operations[4] = {OP_UNDEFINED, OP_CPC, OP_SBC, OP_ADD};
        return make(operations[word >> 10 & 3], field_d5(word), field_r5(word));
    }
    }
}

/* 1001 000d / 1001 001d: loads and stores that name one register. */
static Instruction decode_load_store(uint32_t word, uint32_t next_word) {
    static const uint8_t loads[16] = {
        OP_LDS, OP_LD_Z_INC, OP_LD_Z_DEC, OP_UNDEFINED, OP_LPM, OP_LPM_INC, OP_UNDEFINED, OP_UNDEFINED,
        OP_UNDEFINED, OP_LD_Y_INC, OP_LD_Y_DEC, OP_UNDEFINED, OP_LD_X, OP_LD_X_INC, OP_LD_X_DEC, OP_POP};
    static const uint8_t stores[16] = {
        OP_STS, OP_ST_Z_INC, OP_ST_Z_DEC, OP_UNDEFINED, OP_UNDEFINED, OP_UNDEFINED, OP_UNDEFINED, OP_UNDEFINED,
        OP_UNDEFINED, OP_ST_Y_INC, OP_ST_Y_DEC, OP_UNDEFINED, OP_ST_X, OP_ST_X_INC, OP_ST_X_DEC, OP_PUSH};
    bool is_store = word >> 9 & 1;
    return make((is_store ? stores : loads)[word & 0x0F], field_d5(word), next_word);
}

/* 1001 0101 .... 1000 and 1001: operations without an operand. */
static Instruction decode_no_operand(uint32_t word) {
    switch (word) {
    case 0x9409: return make(OP_IJMP, 0, 0);
    case 0x9509: return make(OP_ICALL, 0, 0);
    case 0x9508: return make(OP_RET, 0, 0);
    case 0x9518: return make(OP_RETI, 0, 0);
    case 0x9588: return make(OP_SLEEP, 0, 0);
    case 0x9598: return make(OP_BREAK, 0, 0);
    case 0x95A8: return make(OP_WDR, 0, 0);
    case 0x95C8: return make(OP_LPM_R0, 0, 0);
    case 0x95E8: return make(OP_SPM, 0, 0);
    default:
        if ((word & 0xFF8F) == 0x9408) return make(OP_BSET, 1u << (word >> 4 & 7), 0);
        if ((word & 0xFF8F) == 0x9488) return make(OP_BCLR, 1u << (word >> 4 & 7), 0);
        return make(OP_UNDEFINED, 0, 0);
    }
}

/* 1001 010.: one-operand arithmetic, JMP, CALL and the operations without operand. */
static Instruction decode_one_operand(uint32_t word, uint32_t next_word) {
    static const uint8_t operations[16] = {
        OP_COM, OP_NEG, OP_SWAP, OP_INC, OP_UNDEFINED, OP_ASR, OP_LSR, OP_ROR,
        OP_UNDEFINED, OP_UNDEFINED, OP_DEC, OP_UNDEFINED, OP_JMP, OP_JMP, OP_CALL, OP_CALL};
    uint32_t selector = word & 0x0F;
    if (selector == 8 || selector == 9) return decode_no_operand(word);
    if (selector >= 12) return make(operations[selector], 0, next_word & (FLASH_WORDS - 1));
    return make(operations[selector], field_d5(word), 0);
}

static Instruction decode_group_9(uint32_t word, uint32_t next_word) {
    uint32_t bit_register = 0x20 + (word >> 3 & 0x1F), bit = word & 7;
    uint32_t pair = 24 + (word >> 4 & 3) * 2, constant = (word & 0x0F) | (word >> 2 & 0x30);
    switch (word >> 8 & 0x0F) {
    case 0x0: case 0x1: case 0x2: case 0x3: return decode_load_store(word, next_word);
    case 0x4: case 0x5: return decode_one_operand(word, next_word);
    case 0x6: return make(OP_ADIW, pair, constant);
    case 0x7: return make(OP_SBIW, pair, constant);
    case 0x8: return make(OP_CBI, bit, bit_register);
    case 0x9: return make(OP_SBIC, 1u << bit, bit_register);
    case 0xA: return make(OP_SBI, bit, bit_register);
    case 0xB: return make(OP_SBIS, 1u << bit, bit_register);
    default: return make(OP_MUL, field_d5(word), field_r5(word));
    }
}

/* 1111 ....: conditional branches and single bits of registers; bit 3 set is not defined for the latter. */
static Instruction decode_group_f(uint32_t address, uint32_t word) {
    static const uint8_t operations[4] = {OP_BLD, OP_BST, OP_SBRC, OP_SBRS};
    uint32_t mask = 1u << (word & 7);
    uint32_t selector = word >> 10 & 3;
    if (selector < 2)
        return make(selector == 0 ? OP_BRBS : OP_BRBC, mask, relative(address, word >> 3 & 0x7F, 0x40));
    if (word & 8) return make(OP_UNDEFINED, 0, 0);
    return make(operations[word >> 9 & 3], field_d5(word), mask);
}

static Instruction decode(uint32_t address, uint32_t word, uint32_t next_word) {
    static const uint8_t two_registers[8] = {OP_CPSE, OP_CP, OP_SUB, OP_ADC, OP_AND, OP_EOR, OP_OR, OP_MOV};
    static const uint8_t immediate[8] = {OP_UNDEFINED, OP_UNDEFINED, OP_UNDEFINED, OP_CPI,
                                         OP_SBCI, OP_SUBI, OP_ORI, OP_ANDI};
    uint32_t group = word >> 12;
    uint32_t target;
    switch (group) {
    case 0x0: return decode_group_0(word);
    case 0x1: case 0x2: return make(two_registers[(word >> 10) - 4], field_d5(word), field_r5(word));
    case 0x3: case 0x4: case 0x5: case 0x6: case 0x7:
        return make(immediate[group], field_d4(word), field_k8(word));
    case 0x8: case 0xA:
        if (word & 0x0200) return make(word & 8 ? OP_STD_Y : OP_STD_Z, field_d5(word), field_q6(word));
        return make(word & 8 ? OP_LDD_Y : OP_LDD_Z, field_d5(word), field_q6(word));
    case 0x9: return decode_group_9(word, next_word);
    case 0xB:
        return make(word & 0x0800 ? OP_OUT : OP_IN, field_d5(word), 0x20 + ((word & 0x0F) | (word >> 5 & 0x30)));
    case 0xC:
        target = relative(address, word & 0x0FFF, 0x0800);
        return make(target == address ? OP_SPIN : OP_RJMP, 0, target);
    case 0xD: return make(OP_RCALL, 0, relative(address, word & 0x0FFF, 0x0800));
    case 0xE: return make(OP_LDI, field_d4(word), field_k8(word));
    default: return decode_group_f(address, word);
    }
}

static uint32_t flash_word(uint32_t address) {
    const uint8_t *bytes = &cpu.flash[(address & (FLASH_WORDS - 1)) * 2];
    return bytes[0] | (uint32_t)bytes[1] << 8;
}

/* Decodes again after flash has changed; the word before the range may be the first of a two-word operation. */
void decode_range(uint32_t first_word, uint32_t word_count) {
    uint32_t start = first_word == 0 ? 0 : first_word - 1;
    for (uint32_t address = start; address < first_word + word_count && address < FLASH_WORDS; address++)
        cpu.code[address] = decode(address, flash_word(address), flash_word(address + 1));
}
