/* Random writes to every I/O register, random inputs, random running times: must neither hang nor break memory.
 *
 * register_fuzz SEED ROUNDS; compiled with the address and undefined behaviour sanitizers.
 */
#include <stdio.h>
#include <stdlib.h>

#include "machine.h"

static uint32_t random_state;

static uint32_t next_random(void) {
    random_state ^= random_state << 13;
    random_state ^= random_state >> 17;
    random_state ^= random_state << 5;
    return random_state >> 3;
}

int32_t host_twi(int32_t event, int32_t value) { return (event + value + (int32_t)next_random()) & 0xFF; }
int32_t host_spi(int32_t byte) { return byte ^ 0x55; }

static void random_program(void) {
    for (uint32_t i = 0; i < FLASH_BYTES; i++) cpu.flash[i] = (uint8_t)next_random();
    for (uint32_t vector = 0; vector < VECTOR_COUNT; vector++) {
        cpu.flash[vector * 4] = 0x18; /* RETI */
        cpu.flash[vector * 4 + 1] = 0x95;
    }
    decode_range(0, FLASH_WORDS);
}

static void random_action(void) {
    uint32_t kind = next_random() % 8, address = 0x20 + next_random() % 0xE0;
    uint8_t bytes[4] = {1, 2, 3, 4};
    uint64_t period, high;
    switch (kind) {
    case 0:
        gpio_drive(next_random() % 22, (int32_t)(next_random() % 3) - 1);
        gpio_short(next_random() % 22, (int32_t)(next_random() % 3) - 1);
        break;
    case 1: gpio_set_analog(next_random() % 10, (int32_t)(next_random() % 6000) - 500); break;
    case 2: usart_host_send(bytes, next_random() % 5); break;
    case 3: timer_pwm(next_random() % 20, &period, &high); break;
    case 4: io_read(address); break;
    default: io_write(address, (uint8_t)next_random()); break;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return 2;
    random_state = (uint32_t)strtoul(argv[1], NULL, 10) | 1;
    static Edge edges[64];
    uint8_t bytes[64];
    for (int round = atoi(argv[2]); round > 0; round--) {
        machine_power_on();
        random_program();
        uint64_t last = 0;
        for (int action = 0; action < 300; action++) {
            random_action();
            uint64_t before = cpu.cycle, wanted = next_random() % (next_random() % 8 ? 200 : 20000);
            if (machine_run(wanted) < wanted || cpu.cycle < before) return 3;
            edges_take(edges, 64);
            usart_host_receive(bytes, 64);
            last = cpu.cycle;
        }
        printf("%llu %u\n", (unsigned long long)last, cpu.resets);
    }
    return 0;
}
