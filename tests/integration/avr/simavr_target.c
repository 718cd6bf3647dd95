/* simavr (GPL, linked into this test program only). */
#include <simavr/sim_avr.h>
#include <simavr/sim_core.h>
#include <stdlib.h>
#include <string.h>

#include "case_runner.h"

static avr_t *avr;

void target_start(const uint8_t *flash) {
    avr = avr_make_mcu_by_name("atmega328p");
    if (!avr) exit(3);
    avr_init(avr);
    avr->log = LOG_NONE;
    avr->codeend = FLASH_SIZE - 1;
    memcpy(avr->flash, flash, FLASH_SIZE);
}

void target_write_flash(uint32_t byte_address, const uint8_t *bytes, uint32_t length) {
    memcpy(avr->flash + byte_address, bytes, length);
}

void target_set(const CaseHeader *header) {
    memcpy(avr->data, header->registers, 32);
    avr->pc = header->pc * 2u;
    _avr_sp_set(avr, header->stack_pointer);
    SET_SREG_FROM(avr, header->sreg);
    avr->data[R_SREG] = header->sreg;
    avr->state = cpu_Running;
}

uint8_t *target_data(void) { return avr->data; }

/* One instruction: with run_cycle_count at 1 avr_run_one does not go on to the next. */
void target_step(void) {
    avr->run_cycle_count = 1;
    avr->pc = avr_run_one(avr);
    avr->state = cpu_Running;
}

uint64_t target_cycle(void) { return avr->cycle; }

void target_get(StepResult *result) {
    uint8_t sreg;
    READ_SREG_INTO(avr, sreg);
    memcpy(result->registers, avr->data, 32);
    result->pc = (uint16_t)(avr->pc / 2);
    result->stack_pointer = _avr_sp_get(avr);
    result->sreg = sreg;
}
