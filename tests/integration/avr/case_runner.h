/* The same instruction cases for two simulators: reads cases from standard input, writes one result per step.
 *
 * A simulator supplies the target_... functions; case_runner.c does the rest. All numbers are little-endian; the
 * layouts are mirrored by cases.py.
 */
#ifndef CASE_RUNNER_H
#define CASE_RUNNER_H

#include <stdint.h>

enum { MAX_WORDS = 512, MEMORY_START = 0x100, MEMORY_END = 0x900, FLASH_SIZE = 0x8000 };

#pragma pack(push, 1)
typedef struct {
    uint32_t memory_seed;
    uint16_t pc; /* word address of the first word */
    uint16_t stack_pointer;
    uint8_t sreg;
    uint8_t registers[32];
    uint16_t word_count;
    uint16_t step_count;
} CaseHeader;

typedef struct {
    uint16_t pc;
    uint16_t stack_pointer;
    uint8_t sreg;
    uint8_t registers[32];
    uint32_t cycles;      /* since the start of the case */
    uint32_t memory_hash; /* SRAM and plain I/O registers, after the last step only, else 0 */
} StepResult;
#pragma pack(pop)

void target_start(const uint8_t *flash);
void target_write_flash(uint32_t byte_address, const uint8_t *bytes, uint32_t length);
void target_set(const CaseHeader *header);
uint8_t *target_data(void);
void target_step(void);
uint64_t target_cycle(void);
void target_get(StepResult *result);

#endif
