/* Performs instructions.
 *
 * Source: "AVR Instruction Set Manual" (DS40002198) for effects; ATmega328P datasheet section 31 for the number of
 * clock cycles. Data-space access of two-cycle instructions falls in their second cycle (datasheet figure 7-4,
 * "On-chip Data SRAM Access Cycles"): io_read and io_write are called with cpu.cycle set accordingly.
 */
#include "alu.h"
#include "decode.h"
#include "machine.h"

enum { REGISTER_X = 26, REGISTER_Y = 28, REGISTER_Z = 30, PC_MASK = FLASH_WORDS - 1 };

static uint8_t load_io(uint32_t address) {
    if (address < 0x20) return cpu.data[address];
    if (address > RAM_END) return 0;
    cpu.cycle++;
    uint8_t value = io_read(address);
    cpu.cycle--;
    return value;
}

static inline uint8_t load(uint32_t address) {
    address &= 0xFFFF;
    if (address >= RAM_START && address <= RAM_END) return cpu.data[address];
    return load_io(address);
}

static void store_io(uint32_t address, uint8_t value) {
    if (address < 0x20) {
        cpu.data[address] = value;
    } else if (address <= RAM_END) {
        cpu.cycle++;
        io_write(address, value);
        cpu.cycle--;
    }
}

static inline void store(uint32_t address, uint8_t value) {
    address &= 0xFFFF;
    if (address >= RAM_START && address <= RAM_END)
        cpu.data[address] = value;
    else
        store_io(address, value);
}

static inline void push(uint8_t value) {
    uint32_t pointer = get_pair(SPL);
    store(pointer, value);
    set_pair(SPL, pointer - 1);
}

static inline uint8_t pop(void) {
    uint32_t pointer = get_pair(SPL) + 1u;
    set_pair(SPL, pointer);
    return load(pointer);
}

void push_return_address(uint32_t word_address) {
    push((uint8_t)word_address);
    push((uint8_t)(word_address >> 8));
}

static inline uint32_t pop_return_address(void) {
    uint32_t high = pop();
    return (high << 8 | pop()) & PC_MASK;
}

/* Returns the number of words to skip, which is also the number of extra cycles. */
static inline uint32_t skip_length(uint32_t pc) {
    return cpu.code[pc & PC_MASK].operation >= OP_FIRST_TWO_WORDS ? 2 : 1;
}

static inline void interrupts_enabled(void) {
    cpu.interrupt_hold = true;
    cpu.attention = 0;
}

static inline uint32_t load_and_move(uint32_t pair, int32_t before, int32_t after) {
    uint32_t address = get_pair(pair) + (uint32_t)before;
    if (before | after) set_pair(pair, address + (uint32_t)after);
    return address;
}

/* "rjmp ." does nothing but wait: jump to the last turn that starts before the next event. */
static inline void spin(void) {
    cpu.cycle += 2;
    if (cpu.attention > cpu.cycle) cpu.cycle += (cpu.attention - cpu.cycle + 1) / 2 * 2;
}

static inline void bit_set_in_status(uint32_t mask) {
    if ((mask & FLAG_I) && !(cpu.data[SREG] & FLAG_I)) interrupts_enabled();
    cpu.data[SREG] |= (uint8_t)mask;
}

void execute_until_attention(void) {
    uint8_t *const data = cpu.data;
    uint32_t pc = cpu.pc;
    while (cpu.cycle < cpu.attention) {
        const Instruction instruction = cpu.code[pc];
        const uint32_t d = instruction.d, k = instruction.k;
        uint32_t cycles = 1;
        pc++;
        switch (instruction.operation) {
        case OP_UNDEFINED: cpu.undefined_instructions++; break;
        case OP_NOP: break;

        /* Arithmetic and logic. */
        case OP_ADD: data[d] = alu_add(data[d], data[k], 0); break;
        case OP_ADC: data[d] = alu_add(data[d], data[k], data[SREG] & FLAG_C); break;
        case OP_SUB: data[d] = alu_subtract(data[d], data[k], 0, false); break;
        case OP_SUBI: data[d] = alu_subtract(data[d], k, 0, false); break;
        case OP_SBC: data[d] = alu_subtract(data[d], data[k], data[SREG] & FLAG_C, true); break;
        case OP_SBCI: data[d] = alu_subtract(data[d], k, data[SREG] & FLAG_C, true); break;
        case OP_CP: alu_subtract(data[d], data[k], 0, false); break;
        case OP_CPI: alu_subtract(data[d], k, 0, false); break;
        case OP_CPC: alu_subtract(data[d], data[k], data[SREG] & FLAG_C, true); break;
        case OP_NEG: data[d] = alu_subtract(0, data[d], 0, false); break;
        case OP_AND: data[d] = alu_logic(data[d] & data[k]); break;
        case OP_ANDI: data[d] = alu_logic(data[d] & k); break;
        case OP_OR: data[d] = alu_logic(data[d] | data[k]); break;
        case OP_ORI: data[d] = alu_logic(data[d] | k); break;
        case OP_EOR: data[d] = alu_logic(data[d] ^ data[k]); break;
        case OP_COM: data[d] = alu_complement(data[d]); break;
        case OP_INC: data[d] = alu_count((data[d] + 1u) & 0xFF, 0x80); break;
        case OP_DEC: data[d] = alu_count((data[d] - 1u) & 0xFF, 0x7F); break;
        case OP_ASR: data[d] = alu_shift_right(data[d], data[d] & 0x80u); break;
        case OP_LSR: data[d] = alu_shift_right(data[d], 0); break;
        case OP_ROR: data[d] = alu_shift_right(data[d], (data[SREG] & FLAG_C) ? 0x80 : 0); break;
        case OP_SWAP: data[d] = (uint8_t)(data[d] << 4 | data[d] >> 4); break;
        case OP_ADIW: {
            uint32_t before = get_pair(d), after = (before + k) & 0xFFFF;
            set_pair(d, after);
            alu_pair_flags(after, (~after & before) >> 15, (~before & after) >> 15 & 1);
            cycles = 2;
            break;
        }
        case OP_SBIW: {
            uint32_t before = get_pair(d), after = (before - k) & 0xFFFF;
            set_pair(d, after);
            alu_pair_flags(after, (after & ~before) >> 15 & 1, (before & ~after) >> 15 & 1);
            cycles = 2;
            break;
        }
        case OP_MUL: alu_product((uint32_t)data[d] * data[k], false); cycles = 2; break;
        case OP_MULS: alu_product((uint32_t)((int8_t)data[d] * (int8_t)data[k]), false); cycles = 2; break;
        case OP_MULSU: alu_product((uint32_t)((int8_t)data[d] * data[k]), false); cycles = 2; break;
        case OP_FMUL: alu_product((uint32_t)data[d] * data[k], true); cycles = 2; break;
        case OP_FMULS: alu_product((uint32_t)((int8_t)data[d] * (int8_t)data[k]), true); cycles = 2; break;
        case OP_FMULSU: alu_product((uint32_t)((int8_t)data[d] * data[k]), true); cycles = 2; break;

        /* Data transfer. */
        case OP_MOV: data[d] = data[k]; break;
        case OP_MOVW: set_pair(d, get_pair(k)); break;
        case OP_LDI: data[d] = (uint8_t)k; break;
        case OP_LDS: data[d] = load(k); pc++; cycles = 2; break;
        case OP_STS: store(k, data[d]); pc++; cycles = 2; break;
        case OP_LD_X: data[d] = load(get_pair(REGISTER_X)); cycles = 2; break;
        case OP_LD_X_INC: data[d] = load(load_and_move(REGISTER_X, 0, 1)); cycles = 2; break;
        case OP_LD_X_DEC: data[d] = load(load_and_move(REGISTER_X, -1, 0)); cycles = 2; break;
        case OP_LD_Y_INC: data[d] = load(load_and_move(REGISTER_Y, 0, 1)); cycles = 2; break;
        case OP_LD_Y_DEC: data[d] = load(load_and_move(REGISTER_Y, -1, 0)); cycles = 2; break;
        case OP_LD_Z_INC: data[d] = load(load_and_move(REGISTER_Z, 0, 1)); cycles = 2; break;
        case OP_LD_Z_DEC: data[d] = load(load_and_move(REGISTER_Z, -1, 0)); cycles = 2; break;
        case OP_LDD_Y: data[d] = load(get_pair(REGISTER_Y) + k); cycles = 2; break;
        case OP_LDD_Z: data[d] = load(get_pair(REGISTER_Z) + k); cycles = 2; break;
        case OP_ST_X: store(get_pair(REGISTER_X), data[d]); cycles = 2; break;
        case OP_ST_X_INC: store(load_and_move(REGISTER_X, 0, 1), data[d]); cycles = 2; break;
        case OP_ST_X_DEC: store(load_and_move(REGISTER_X, -1, 0), data[d]); cycles = 2; break;
        case OP_ST_Y_INC: store(load_and_move(REGISTER_Y, 0, 1), data[d]); cycles = 2; break;
        case OP_ST_Y_DEC: store(load_and_move(REGISTER_Y, -1, 0), data[d]); cycles = 2; break;
        case OP_ST_Z_INC: store(load_and_move(REGISTER_Z, 0, 1), data[d]); cycles = 2; break;
        case OP_ST_Z_DEC: store(load_and_move(REGISTER_Z, -1, 0), data[d]); cycles = 2; break;
        case OP_STD_Y: store(get_pair(REGISTER_Y) + k, data[d]); cycles = 2; break;
        case OP_STD_Z: store(get_pair(REGISTER_Z) + k, data[d]); cycles = 2; break;
        case OP_LPM_R0: data[0] = flash_load(get_pair(REGISTER_Z)); cycles = 3; break;
        case OP_LPM: data[d] = flash_load(get_pair(REGISTER_Z)); cycles = 3; break;
        case OP_LPM_INC: data[d] = flash_load(load_and_move(REGISTER_Z, 0, 1)); cycles = 3; break;
        case OP_SPM: cpu.pc = pc; flash_execute_spm(); break;
        case OP_IN: data[d] = io_read(k); break;
        case OP_OUT: io_write(k, data[d]); break;
        case OP_PUSH: push(data[d]); cycles = 2; break;
        case OP_POP: data[d] = pop(); cycles = 2; break;

        /* Jumps, calls, branches and skips. */
        case OP_RJMP: pc = k; cycles = 2; break;
        case OP_SPIN: pc = k; spin(); cycles = 0; break;
        case OP_IJMP: pc = get_pair(REGISTER_Z) & PC_MASK; cycles = 2; break;
        case OP_JMP: pc = k; cycles = 3; break;
        case OP_RCALL: push_return_address(pc); pc = k; cycles = 3; break;
        case OP_ICALL: push_return_address(pc); pc = get_pair(REGISTER_Z) & PC_MASK; cycles = 3; break;
        case OP_CALL: push_return_address(pc + 1); pc = k; cycles = 4; break;
        case OP_RET: pc = pop_return_address(); cycles = 4; break;
        case OP_RETI:
            pc = pop_return_address();
            data[SREG] |= FLAG_I;
            interrupts_enabled();
            cycles = 4;
            break;
        case OP_BRBS: if (data[SREG] & d) { pc = k; cycles = 2; } break;
        case OP_BRBC: if (!(data[SREG] & d)) { pc = k; cycles = 2; } break;
        case OP_CPSE: if (data[d] == data[k]) { cycles += skip_length(pc); pc += cycles - 1; } break;
        case OP_SBRC: if (!(data[d] & k)) { cycles += skip_length(pc); pc += cycles - 1; } break;
        case OP_SBRS: if (data[d] & k) { cycles += skip_length(pc); pc += cycles - 1; } break;
        case OP_SBIC: if (!(io_read(k) & d)) { cycles += skip_length(pc); pc += cycles - 1; } break;
        case OP_SBIS: if (io_read(k) & d) { cycles += skip_length(pc); pc += cycles - 1; } break;

        /* Bits and MCU control. */
        case OP_SBI: cpu.cycle++; io_write_bit(k, d, true); break;
        case OP_CBI: cpu.cycle++; io_write_bit(k, d, false); break;
        case OP_BST: set_flags(FLAG_T, (data[d] & k) ? FLAG_T : 0); break;
        case OP_BLD: data[d] = (uint8_t)((data[SREG] & FLAG_T) ? data[d] | k : data[d] & ~k); break;
        case OP_BSET: bit_set_in_status(d); break;
        case OP_BCLR: data[SREG] &= (uint8_t)~d; break;
        case OP_SLEEP: machine_sleep(); break;
        case OP_WDR: watchdog_restart(); break;
        case OP_BREAK: break; /* without a debugger: a NOP, datasheet section 31 */
        default: break;
        }
        pc &= PC_MASK;
        cpu.cycle += cycles;
    }
    cpu.pc = pc;
}
