/* Our core, compiled for the machine that runs the test. */
#include <string.h>

#include "case_runner.h"
#include "machine.h"

int32_t host_twi(int32_t event, int32_t value) { (void)event, (void)value; return 0; }
int32_t host_spi(int32_t byte) { (void)byte; return 0xFF; }

void target_start(const uint8_t *flash) {
    machine_power_on();
    target_write_flash(0, flash, FLASH_SIZE);
}

void target_write_flash(uint32_t byte_address, const uint8_t *bytes, uint32_t length) {
    memcpy(cpu.flash + byte_address, bytes, length);
    decode_range(byte_address / 2, length / 2 + 1);
}

void target_set(const CaseHeader *header) {
    memcpy(cpu.data, header->registers, 32);
    cpu.pc = header->pc;
    set_pair(SPL, header->stack_pointer);
    cpu.data[SREG] = header->sreg;
    cpu.interrupt_hold = false;
}

uint8_t *target_data(void) { return cpu.data; }

void target_step(void) { machine_step(); }

uint64_t target_cycle(void) { return cpu.cycle; }

void target_get(StepResult *result) {
    memcpy(result->registers, cpu.data, 32);
    result->pc = (uint16_t)cpu.pc;
    result->stack_pointer = get_pair(SPL);
    result->sreg = cpu.data[SREG];
}
