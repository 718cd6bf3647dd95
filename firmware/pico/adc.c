/* Analog inputs, 12 bits (data sheet section 4.9): channels 0 to 2 are at GP26 to GP28, 3 is the supply at GP29. */
#include "board.h"

#define FIRST_ANALOG_PIN 26
#define CHANNELS (HAS_RADIO ? 3 : 4)
#define CONVERSION_LIMIT_US 1000

uint8_t zc_hal_analog_count(void)
{
    return CHANNELS;
}

uint8_t zc_hal_analog_pin(uint8_t channel)
{
    return (uint8_t)(FIRST_ANALOG_PIN + channel);
}

uint8_t zc_hal_analog_bits(void)
{
    return 12;
}

uint16_t zc_hal_analog_read(uint8_t channel)
{
    uint32_t begun_us = board_micros();

    ADC_CS = ADC_CS_EN | (uint32_t)channel << 12;
    ADC_CS = ADC_CS_EN | (uint32_t)channel << 12 | ADC_CS_START_ONCE;
    while (!(ADC_CS & ADC_CS_READY) && board_micros() - begun_us < CONVERSION_LIMIT_US) {
    }
    return (uint16_t)(ADC_RESULT & 0xFFFu);
}

void adc_start(void)
{
    ADC_CS = ADC_CS_EN;
}
