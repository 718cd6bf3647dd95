/* Reading flash with LPM and self-programming with SPM.
 *
 * Source: ATmega328P datasheet section 26 "Boot Loader Support" (SPMCSR 26.3.1, RWW and NRWW sections 26.2, fuse,
 * lock and signature reading 26.2.4 to 26.2.6) and table 26-6 for the programming time of 3.7 to 4.5 ms.
 */
#include "machine.h"

enum {
    SPMIE = 1 << 7, RWWSB = 1 << 6, SIGRD = 1 << 5, RWWSRE = 1 << 4,
    BLBSET = 1 << 3, PGWRT = 1 << 2, PGERS = 1 << 1, SELFPRGEN = 1 << 0,
    COMMAND_MASK = 0x3F, PROGRAM_CYCLES = 64000, /* 4 ms */
    LOCK_NO_BOOT_WRITE = 1 << 4, /* BLB11, table 26-3 */
};

static const uint8_t SIGNATURE[3] = {0x1E, 0x95, 0x0F};

static uint8_t buffer[PAGE_BYTES];
static uint64_t command_until; /* SPM, or LPM after BLBSET or SIGRD, must come before */
static bool is_programming;

static void clear_buffer(void) {
    for (uint32_t i = 0; i < PAGE_BYTES; i++) buffer[i] = 0xFF;
}

static void update_pending(void) {
    uint8_t control = cpu.data[SPMCSR];
    set_pending(VECTOR_SPM_READY, (control & SPMIE) && !(control & SELFPRGEN));
}

static void end_command(void) {
    cpu.data[SPMCSR] &= (uint8_t)~COMMAND_MASK;
    command_until = 0;
    update_pending();
}

void flash_write_control(uint8_t value) {
    if (is_programming || eeprom_busy()) return;
    cpu.data[SPMCSR] = (uint8_t)((value & (SPMIE | COMMAND_MASK)) | (cpu.data[SPMCSR] & RWWSB));
    if (value & SELFPRGEN) {
        command_until = cpu.cycle + 5;
        schedule(EVENT_SPM, command_until);
    }
    update_pending();
}

/* Either the four cycles have gone by unused, or programming is over. */
void flash_event(void) {
    is_programming = false;
    end_command();
}

static uint8_t load_special(uint8_t command, uint32_t address) {
    if (command & SIGRD) {
        if (address == 1) return cpu.data[OSCCAL];
        return address < 6 && !(address & 1) ? SIGNATURE[address / 2] : 0xFF;
    }
    switch (address & 3) {
    case 0: return cpu.fuse_low;
    case 1: return cpu.lock_bits;
    case 2: return cpu.fuse_extended;
    default: return cpu.fuse_high;
    }
}

uint8_t flash_load(uint32_t byte_address) {
    uint8_t command = cpu.data[SPMCSR];
    if ((command & (BLBSET | SIGRD)) && (command & SELFPRGEN) && cpu.cycle < command_until) {
        uint8_t value = load_special(command, byte_address);
        end_command();
        return value;
    }
    byte_address &= FLASH_BYTES - 1;
    if ((command & RWWSB) && byte_address < NRWW_START) return 0xFF;
    return cpu.flash[byte_address];
}

static bool is_writable(uint32_t page_address) {
    if (in_boot_section(page_address / 2)) return (cpu.lock_bits & LOCK_NO_BOOT_WRITE) != 0;
    return true;
}

static void erase_page(uint32_t page_address) {
    for (uint32_t i = 0; i < PAGE_BYTES; i++) cpu.flash[page_address + i] = 0xFF;
    decode_range(page_address / 2, PAGE_BYTES / 2);
}

static void write_page(uint32_t page_address) {
    for (uint32_t i = 0; i < PAGE_BYTES; i++) cpu.flash[page_address + i] &= buffer[i];
    decode_range(page_address / 2, PAGE_BYTES / 2);
    clear_buffer();
}

/* The CPU goes on while the RWW section is programmed and halts while the NRWW section is (26.2.1, 26.2.2). */
static void start_programming(uint32_t page_address) {
    is_programming = true;
    if (page_address < NRWW_START) {
        cpu.data[SPMCSR] |= RWWSB;
        schedule(EVENT_SPM, cpu.cycle + PROGRAM_CYCLES);
    } else {
        cpu.cycle += PROGRAM_CYCLES;
        flash_event();
    }
}

static void fill_buffer(uint32_t address) {
    uint32_t offset = address & (PAGE_BYTES - 2);
    buffer[offset] &= cpu.data[0];
    buffer[offset + 1] &= cpu.data[1];
}

void flash_execute_spm(void) {
    uint8_t command = cpu.data[SPMCSR] & COMMAND_MASK;
    uint32_t address = get_pair(30) & (FLASH_BYTES - 1), page_address = address & ~(PAGE_BYTES - 1u);
    if (!in_boot_section(cpu.pc) || cpu.cycle >= command_until || is_programming) return;
    cpu.due[EVENT_SPM] = NEVER;
    switch (command) {
    case SELFPRGEN: fill_buffer(address); break;
    case SELFPRGEN | PGERS:
        if (is_writable(page_address)) {
            erase_page(page_address);
            start_programming(page_address);
            return;
        }
        break;
    case SELFPRGEN | PGWRT:
        if (is_writable(page_address)) {
            write_page(page_address);
            start_programming(page_address);
            return;
        }
        break;
    case SELFPRGEN | BLBSET: cpu.lock_bits &= cpu.data[0] | 0xC3; break;
    case SELFPRGEN | RWWSRE:
        cpu.data[SPMCSR] &= (uint8_t)~RWWSB;
        clear_buffer();
        break;
    default: break;
    }
    end_command();
}

void flash_reset(void) {
    command_until = 0;
    is_programming = false;
    clear_buffer();
}
