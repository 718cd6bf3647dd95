/* The analogue-to-digital converter.
 *
 * Source: ATmega328P datasheet section 23. A conversion takes 13 ADC clocks, the first after enabling 25, an
 * auto-triggered one 13.5 (table 23-1); the input is sampled 1.5 (13.5, 2) ADC clocks after the start.
 */
#include "machine.h"

enum {
    ADEN = 1 << 7, ADSC = 1 << 6, ADATE = 1 << 5, ADIF = 1 << 4, ADIE = 1 << 3,
    ADLAR = 1 << 5, ADTS_MASK = 0x07,
    VCC_MILLIVOLTS = 5000, BANDGAP_MILLIVOLTS = 1100, TEMPERATURE_MILLIVOLTS = 314, /* 25 C, table 23-2 */
    CHANNEL_TEMPERATURE = 8, CHANNEL_BANDGAP = 14, FULL_SCALE = 1024,
};

static uint64_t enabled_at; /* start of the ADC prescaler */
static bool is_first_conversion, is_locked;
static uint8_t locked_multiplexer;
static uint32_t result;
static int32_t external_reference = VCC_MILLIVOLTS;

void adc_set_reference(int32_t millivolts) { external_reference = millivolts; }

static uint32_t clock_cycles(void) {
    uint32_t prescaler = cpu.data[ADCSRA] & 7;
    return prescaler == 0 ? 2 : 1u << prescaler;
}

static int32_t reference_millivolts(uint8_t multiplexer) {
    switch (multiplexer >> 6) {
    case 0: return external_reference;
    case 1: return VCC_MILLIVOLTS;
    default: return BANDGAP_MILLIVOLTS;
    }
}

static int32_t input_millivolts(uint8_t multiplexer) {
    uint32_t channel = multiplexer & 0x0F;
    if (channel < CHANNEL_TEMPERATURE) return gpio_pin_millivolts(channel);
    if (channel == CHANNEL_TEMPERATURE) return TEMPERATURE_MILLIVOLTS;
    return channel == CHANNEL_BANDGAP ? BANDGAP_MILLIVOLTS : 0;
}

static uint32_t convert(uint8_t multiplexer) {
    int32_t reference = reference_millivolts(multiplexer);
    if (reference <= 0) return FULL_SCALE - 1;
    int32_t value = input_millivolts(multiplexer) * FULL_SCALE / reference;
    return value >= FULL_SCALE ? FULL_SCALE - 1 : value < 0 ? 0 : (uint32_t)value;
}

static void update_pending(void) {
    uint8_t control = cpu.data[ADCSRA];
    set_pending(VECTOR_ADC, (control & ADIF) && (control & ADIE));
}

/* half_clocks: length of the conversion in half ADC clocks. It starts at the next ADC clock edge. */
static void start(uint64_t now, uint32_t half_clocks) {
    uint32_t clock = clock_cycles();
    uint64_t phase = (now - enabled_at) % clock, edge = phase ? now + clock - phase : now;
    cpu.data[ADCSRA] |= ADSC;
    locked_multiplexer = cpu.data[ADMUX];
    schedule(EVENT_ADC, edge + (uint64_t)clock * half_clocks / 2);
}

static uint32_t length_half_clocks(bool is_triggered) {
    if (is_first_conversion) return 50;
    return is_triggered ? 27 : 26;
}

static void store_result(uint32_t value) {
    if (is_locked) return;
    result = (locked_multiplexer & ADLAR) ? value << 6 : value;
    set_pair(ADCL, result);
}

void adc_event(void) {
    is_first_conversion = false;
    store_result(convert(locked_multiplexer));
    cpu.data[ADCSRA] = (uint8_t)((cpu.data[ADCSRA] & ~ADSC) | ADIF);
    update_pending();
    if ((cpu.data[ADCSRA] & ADATE) && (cpu.data[ADCSRB] & ADTS_MASK) == 0) start(cpu.event_cycle, 26);
}

/* A rising edge of one of the auto-trigger sources, table 23-6. */
void adc_trigger(uint32_t source) {
    uint8_t control = cpu.data[ADCSRA];
    if ((control & (ADEN | ADATE | ADSC)) != (ADEN | ADATE) || (cpu.data[ADCSRB] & ADTS_MASK) != source) return;
    start(cpu.cycle, length_half_clocks(true));
}

/* Entering ADC noise reduction mode starts a conversion, section 23.6. */
void adc_sleep_start(void) {
    if ((cpu.data[ADCSRA] & (ADEN | ADSC)) == ADEN) start(cpu.cycle + 1, length_half_clocks(false));
}

void adc_acknowledge(void) {
    cpu.data[ADCSRA] &= (uint8_t)~ADIF;
    update_pending();
}

static void write_control(uint8_t value) {
    uint8_t before = cpu.data[ADCSRA];
    uint8_t flag = (value & ADIF) ? 0 : before & ADIF;
    cpu.data[ADCSRA] = (uint8_t)((value & ~(ADSC | ADIF)) | flag | (before & ADSC));
    if (!(value & ADEN)) {
        cpu.data[ADCSRA] &= (uint8_t)~ADSC;
        cpu.due[EVENT_ADC] = NEVER;
    } else {
        if (!(before & ADEN)) {
            enabled_at = cpu.cycle + 1;
            is_first_conversion = true;
        }
        if ((value & ADSC) && !(before & ADSC)) start(cpu.cycle + 1, length_half_clocks(false));
    }
    for (uint32_t timer = 0; timer < 2; timer++) timer_reschedule(timer);
}

void adc_write(uint32_t address, uint8_t value) {
    switch (address) {
    case ADCSRA: write_control(value); break;
    case ADCSRB: cpu.data[ADCSRB] = value & 0x47; break;
    default: cpu.data[ADMUX] = value & 0xEF; break;
    }
    update_pending();
}

/* Reading ADCL keeps the pair together until ADCH is read, section 23.2. */
uint8_t adc_read(uint32_t address) {
    is_locked = address == ADCL;
    return cpu.data[address];
}

void adc_reset(void) {
    is_first_conversion = true;
    is_locked = false;
    result = 0;
}
