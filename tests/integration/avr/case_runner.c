/* Main program shared by the two simulators; see case_runner.h. */
#include "case_runner.h"

#include <stdio.h>
#include <string.h>

/* I/O registers that only store: PORTB, DDRB, PORTD, DDRD and GPIORx. */
static const uint8_t PLAIN_REGISTERS[] = {0x24, 0x25, 0x2A, 0x2B, 0x3E, 0x4A, 0x4B};

static uint32_t random_state;

/* xorshift32 */
static uint32_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state;
}

static void fill(uint8_t *bytes, uint32_t length, uint32_t seed) {
    random_state = seed | 1;
    for (uint32_t i = 0; i < length; i++) bytes[i] = (uint8_t)(next_random() >> 11);
}

static uint32_t hash_byte(uint32_t hash, uint8_t byte) { return (hash ^ byte) * 16777619u; }

static uint32_t hash_memory(const uint8_t *data) {
    uint32_t hash = 2166136261u;
    for (uint32_t address = MEMORY_START; address < MEMORY_END; address++) hash = hash_byte(hash, data[address]);
    for (uint32_t i = 0; i < sizeof PLAIN_REGISTERS; i++) hash = hash_byte(hash, data[PLAIN_REGISTERS[i]]);
    return hash | 1;
}

static void run_case(const CaseHeader *header, const uint16_t *words) {
    target_write_flash(header->pc * 2u, (const uint8_t *)words, header->word_count * 2u);
    uint8_t *data = target_data();
    fill(data + MEMORY_START, MEMORY_END - MEMORY_START, header->memory_seed);
    for (uint32_t i = 0; i < sizeof PLAIN_REGISTERS; i++) data[PLAIN_REGISTERS[i]] = (uint8_t)(header->memory_seed >> i);
    target_set(header);
    uint64_t start = target_cycle();
    for (uint32_t step = 0; step < header->step_count; step++) {
        StepResult result;
        target_step();
        target_get(&result);
        result.cycles = (uint32_t)(target_cycle() - start);
        result.memory_hash = step + 1 == header->step_count ? hash_memory(data) : 0;
        fwrite(&result, sizeof result, 1, stdout);
    }
}

int main(void) {
    static uint8_t flash[FLASH_SIZE];
    CaseHeader header;
    static uint16_t words[MAX_WORDS];
    fill(flash, sizeof flash, 1);
    target_start(flash);
    while (fread(&header, sizeof header, 1, stdin) == 1) {
        if (header.word_count > MAX_WORDS || fread(words, 2, header.word_count, stdin) != header.word_count) return 2;
        run_case(&header, words);
    }
    return 0;
}
