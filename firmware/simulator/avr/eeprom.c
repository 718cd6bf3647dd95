/* EEPROM access through EECR.
 *
 * Source: ATmega328P datasheet section 7.4 and 7.6: EEPE must follow EEMPE within four cycles; the CPU halts for
 * four cycles on a read and two on a write; programming times of table 7-1 (3.4 ms, erase or write alone 1.8 ms).
 */
#include "machine.h"

enum { EERE = 1 << 0, EEPE = 1 << 1, EEMPE = 1 << 2, EERIE = 1 << 3, MODE_SHIFT = 4 };
enum { MODE_ERASE_AND_WRITE, MODE_ERASE, MODE_WRITE };
enum { FULL_CYCLES = 54400, HALF_CYCLES = 28800 };

static uint64_t unlocked_until;

bool eeprom_busy(void) { return (cpu.data[EECR] & EEPE) != 0; }

static void update_pending(void) {
    set_pending(VECTOR_EE_READY, (cpu.data[EECR] & EERIE) && !(cpu.data[EECR] & EEPE));
}

static void program(uint32_t mode) {
    uint8_t *cell = &cpu.eeprom[get_pair(EEARL) & (EEPROM_BYTES - 1)];
    uint8_t value = cpu.data[EEDR];
    if (mode == MODE_ERASE)
        *cell = 0xFF;
    else
        *cell = mode == MODE_WRITE ? *cell & value : value;
    cpu.data[EECR] |= EEPE;
    cpu.data[EECR] &= (uint8_t)~EEMPE;
    unlocked_until = 0;
    schedule(EVENT_EEPROM, cpu.cycle + (mode == MODE_ERASE_AND_WRITE ? FULL_CYCLES : HALF_CYCLES));
    cpu.cycle += 2;
}

static void write_control(uint8_t value) {
    bool is_busy = eeprom_busy(), is_unlocked = cpu.cycle < unlocked_until;
    uint8_t mode_bits = is_busy ? cpu.data[EECR] & 0x30 : value & 0x30;
    cpu.data[EECR] = (uint8_t)((value & EERIE) | mode_bits | (cpu.data[EECR] & EEPE) | (is_unlocked ? EEMPE : 0));
    if (!is_busy && (value & EEPE) && is_unlocked) {
        program(mode_bits >> MODE_SHIFT);
    } else if (!is_busy && (value & EERE)) {
        cpu.data[EEDR] = cpu.eeprom[get_pair(EEARL) & (EEPROM_BYTES - 1)];
        cpu.cycle += 4;
    } else if ((value & EEMPE) && !(value & EEPE)) {
        unlocked_until = cpu.cycle + 5;
        cpu.data[EECR] |= EEMPE;
    }
    update_pending();
}

void eeprom_write_register(uint32_t address, uint8_t value) {
    switch (address) {
    case EECR: write_control(value); break;
    case EEARH: cpu.data[EEARH] = value & 0x03; break;
    default: cpu.data[address] = value; break;
    }
}

void eeprom_event(void) {
    cpu.data[EECR] &= (uint8_t)~EEPE;
    update_pending();
}

void eeprom_reset(void) { unlocked_until = 0; }
