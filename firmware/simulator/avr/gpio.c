/* Ports B, C and D, external interrupts and pin-change interrupts.
 *
 * Source: ATmega328P datasheet sections 12 "External Interrupts" and 13 "I/O-Ports". The level of a pin is, in this
 * order: a short to ground or supply, the output (port, or the part that overrides it), the external driver, the
 * analogue voltage against the input thresholds, the pull-up, else low. Reading PINx passes a one-cycle synchroniser (section 13.2.4).
 */
#include "machine.h"

enum { ANALOG_LOW_MILLIVOLTS = 1500, ANALOG_HIGH_MILLIVOLTS = 3000 }; /* 0.3 and 0.6 VCC at 5 V, table 28-1 */

typedef struct {
    uint8_t level, level_before; /* what PINx reads, and read until the last change */
    uint64_t changed_at;
    uint8_t override_mask, override_level, forced_output;
    uint8_t driven, driven_level;       /* external digital driver */
    uint8_t analog, analog_level;       /* pins with an analogue voltage on them */
    uint8_t shorted, shorted_level;     /* pins that no output can move */
} PortState;

static PortState ports[PORT_COUNT];
static int32_t analog_millivolts[8];
static uint8_t external_flags; /* EIFR: edges caught */

static const uint8_t FIRST_PIN[PORT_COUNT] = {8, 14, 0};
static const uint8_t PIN_COUNT[PORT_COUNT] = {6, 6, 8};

static uint32_t register_of(Port port, uint32_t register_of_b) { return register_of_b + 3u * port; }

static bool locate(uint32_t pin, Port *port, uint8_t *mask) {
    if (pin >= ARDUINO_PIN_COUNT) return false;
    *port = pin < 8 ? PORT_D : pin < 14 ? PORT_B : PORT_C;
    *mask = (uint8_t)(1u << (pin - FIRST_PIN[*port]));
    return true;
}

static uint8_t output_mask(Port port) { return cpu.data[register_of(port, DDRB)] | ports[port].forced_output; }

static uint8_t pull_up_mask(Port port) {
    if (cpu.data[MCUCR] & PUD) return 0;
    return cpu.data[register_of(port, PORTB)] & (uint8_t)~output_mask(port);
}

static uint8_t output_level(Port port) {
    const PortState *state = &ports[port];
    return (uint8_t)((cpu.data[register_of(port, PORTB)] & ~state->override_mask) |
                     (state->override_level & state->override_mask));
}

static uint8_t compute_level(Port port) {
    const PortState *state = &ports[port];
    uint8_t outputs = output_mask(port), analog = state->analog & (uint8_t)~state->driven;
    uint8_t undriven = pull_up_mask(port) & (uint8_t)~(state->driven | analog);
    uint8_t inputs = (uint8_t)((state->driven_level & state->driven) | (state->analog_level & analog) | undriven);
    uint8_t level = (uint8_t)((output_level(port) & outputs) | (inputs & ~outputs));
    return (uint8_t)((level & ~state->shorted) | (state->shorted_level & state->shorted));
}

/* INT0 and INT1 sense control: 0 low level, 1 any change, 2 falling, 3 rising (table 12-2). */
static void update_external(uint32_t number) {
    uint32_t sense = cpu.data[EICRA] >> (number * 2) & 3;
    bool is_low = !(ports[PORT_D].level >> (2 + number) & 1);
    bool is_flagged = sense == 0 ? is_low : (external_flags >> number & 1) != 0;
    set_pending(VECTOR_INT0 + number, is_flagged && (cpu.data[EIMSK] >> number & 1));
}

static void external_edge(uint32_t number, bool rising) {
    uint32_t sense = cpu.data[EICRA] >> (number * 2) & 3;
    if (sense == 1 || (sense == 2 && !rising) || (sense == 3 && rising)) {
        external_flags |= (uint8_t)(1u << number);
        cpu.data[EIFR] = external_flags;
        if (number == 0) adc_trigger(TRIGGER_INT0);
    }
    update_external(number);
}

static void update_pin_change(uint32_t group) {
    set_pending(VECTOR_PCINT0 + group, (cpu.data[PCIFR] & cpu.data[PCICR]) >> group & 1);
}

static void notify_inputs(Port port, uint8_t changed, uint8_t level) {
    if (changed & cpu.data[PCMSK0 + port]) {
        cpu.data[PCIFR] |= (uint8_t)(1u << port);
        update_pin_change(port);
    }
    if (port == PORT_D) {
        if (changed & 1 << 2) external_edge(0, level >> 2 & 1);
        if (changed & 1 << 3) external_edge(1, level >> 3 & 1);
        if (changed & 1 << 4) timer_external_edge(0, level >> 4 & 1);
        if (changed & 1 << 5) timer_external_edge(1, level >> 5 & 1);
    } else if (port == PORT_B && (changed & 1)) {
        timer_capture_edge(level & 1);
    }
}

void gpio_update(Port port, uint64_t cycle) {
    PortState *state = &ports[port];
    uint8_t level = compute_level(port), changed = level ^ state->level;
    if (!changed) return;
    state->level_before = state->level;
    state->level = level;
    state->changed_at = cycle;
    for (uint32_t bit = 0; bit < PIN_COUNT[port]; bit++)
        if (changed >> bit & 1) edges_append(cycle, FIRST_PIN[port] + bit, level >> bit & 1);
    notify_inputs(port, changed, level);
}

/* Nothing is connected but the USB interface of the Uno, which holds RXD (pin 0) high while it sends nothing. */
void gpio_power_on(void) {
    for (uint32_t port = 0; port < PORT_COUNT; port++) ports[port] = (PortState){0};
    for (uint32_t channel = 0; channel < 8; channel++) analog_millivolts[channel] = 0;
    ports[PORT_D].driven = ports[PORT_D].driven_level = ports[PORT_D].level = 1 << 0;
}

/* What is connected to the pins outlives a reset. */
void gpio_reset(void) {
    external_flags = 0;
    for (uint32_t port = 0; port < PORT_COUNT; port++)
        ports[port].override_mask = ports[port].override_level = ports[port].forced_output = 0;
}

uint8_t gpio_read(uint32_t address) {
    const PortState *state = &ports[(address - PINB) / 3];
    return cpu.cycle - state->changed_at < 2 ? state->level_before : state->level;
}

static void write_port_register(uint32_t address, uint8_t value) {
    Port port = (Port)((address - PINB) / 3);
    uint8_t mask = port == PORT_C ? 0x7F : 0xFF;
    if (address == register_of(port, PINB))
        cpu.data[register_of(port, PORTB)] ^= value & mask;
    else
        cpu.data[address] = value & mask;
    gpio_update(port, cpu.cycle);
    if (address == register_of(port, DDRB))
        for (uint32_t timer = 0; timer < 3; timer++) timer_reschedule(timer);
}

void gpio_write(uint32_t address, uint8_t value) {
    switch (address) {
    case EIFR:
        external_flags &= (uint8_t)~value;
        cpu.data[EIFR] = external_flags;
        break;
    case EIMSK: cpu.data[EIMSK] = value & 0x03; break;
    case EICRA: cpu.data[EICRA] = value & 0x0F; break;
    case PCIFR: cpu.data[PCIFR] &= (uint8_t)~value; break;
    case PCICR: cpu.data[PCICR] = value & 0x07; break;
    case PCMSK0: case PCMSK2: cpu.data[address] = value; return;
    case PCMSK1: cpu.data[address] = value & 0x7F; return;
    default: write_port_register(address, value); return;
    }
    for (uint32_t number = 0; number < 2; number++) update_external(number);
    for (uint32_t group = 0; group < 3; group++) update_pin_change(group);
}

void gpio_acknowledge(uint32_t vector) {
    if (vector <= VECTOR_INT1) {
        external_flags &= (uint8_t)~(1u << (vector - VECTOR_INT0));
        cpu.data[EIFR] = external_flags;
        update_external(vector - VECTOR_INT0);
    } else {
        cpu.data[PCIFR] &= (uint8_t)~(1u << (vector - VECTOR_PCINT0));
        update_pin_change(vector - VECTOR_PCINT0);
    }
}

/* A part takes over what the pins in mask put out; force_output also takes over the direction (USART TXD). */
void gpio_override(Port port, uint8_t mask, uint8_t level, bool force_output) {
    PortState *state = &ports[port];
    state->override_mask |= mask;
    state->override_level = (uint8_t)((state->override_level & ~mask) | (level & mask));
    if (force_output) state->forced_output |= mask;
}

void gpio_override_release(Port port, uint8_t mask) {
    ports[port].override_mask &= (uint8_t)~mask;
    ports[port].forced_output &= (uint8_t)~mask;
}

/* Whether something outside pulls a line of mask low that the chip leaves open (open-drain buses). */
bool gpio_is_held_low(Port port, uint8_t mask) {
    const PortState *state = &ports[port];
    uint8_t driven_low = state->driven & (uint8_t)~state->driven_level;
    return ((driven_low | (state->shorted & (uint8_t)~state->shorted_level)) & mask) != 0;
}

bool gpio_is_output(Port port, uint8_t mask) { return (output_mask(port) & mask) != 0; }

/* level: 0 or 1 drives the pin from outside, -1 lets it go. */
void gpio_drive(uint32_t arduino_pin, int32_t level) {
    Port port;
    uint8_t mask;
    if (!locate(arduino_pin, &port, &mask)) return;
    PortState *state = &ports[port];
    state->driven = (uint8_t)(level < 0 ? state->driven & ~mask : state->driven | mask);
    state->driven_level = (uint8_t)(level > 0 ? state->driven_level | mask : state->driven_level & ~mask);
    gpio_update(port, cpu.cycle);
}

/* level: 0 or 1 connects the pin to ground or supply so firmly that it stays there, -1 ends that. */
void gpio_short(uint32_t arduino_pin, int32_t level) {
    Port port;
    uint8_t mask;
    if (!locate(arduino_pin, &port, &mask)) return;
    PortState *state = &ports[port];
    state->shorted = (uint8_t)(level < 0 ? state->shorted & ~mask : state->shorted | mask);
    state->shorted_level = (uint8_t)(level > 0 ? state->shorted_level | mask : state->shorted_level & ~mask);
    gpio_update(port, cpu.cycle);
}

/* A negative voltage disconnects the channel. Between the two thresholds the digital level stays as it was. */
void gpio_set_analog(uint32_t channel, int32_t millivolts) {
    if (channel >= 8) return;
    analog_millivolts[channel] = millivolts < 0 ? 0 : millivolts;
    if (channel >= PIN_COUNT[PORT_C]) return;
    PortState *state = &ports[PORT_C];
    uint8_t mask = (uint8_t)(1u << channel);
    state->analog = (uint8_t)(millivolts < 0 ? state->analog & ~mask : state->analog | mask);
    if (millivolts >= ANALOG_HIGH_MILLIVOLTS) state->analog_level |= mask;
    if (millivolts < ANALOG_LOW_MILLIVOLTS) state->analog_level &= (uint8_t)~mask;
    gpio_update(PORT_C, cpu.cycle);
}

/* What the ADC measures on channels 0 to 7 with VCC = 5 V; 6 and 7 have no digital pin. */
int32_t gpio_pin_millivolts(uint32_t channel) {
    if (channel >= PIN_COUNT[PORT_C]) return analog_millivolts[channel & 7];
    uint8_t mask = (uint8_t)(1u << channel);
    const PortState *state = &ports[PORT_C];
    if ((state->analog & mask) && !((state->driven | state->shorted) & mask) && !(output_mask(PORT_C) & mask))
        return analog_millivolts[channel];
    return (state->level & mask) ? 5000 : 0;
}

uint8_t gpio_levels(Port port) { return ports[port].level; }

/* 0 input, 1 input with pull-up, 2 output. */
uint32_t gpio_pin_mode(uint32_t arduino_pin) {
    Port port;
    uint8_t mask;
    if (!locate(arduino_pin, &port, &mask)) return 0;
    if (output_mask(port) & mask) return 2;
    return (pull_up_mask(port) & mask) ? 1 : 0;
}
