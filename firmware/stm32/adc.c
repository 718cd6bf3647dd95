/* Analog inputs, 12 bits (RM0368 section 11): channels 0 to 5 are A0 to A5 of the Arduino header, the others follow. */
#include "board.h"

#define SAMPLE_84_CYCLES 4u
#define CLOCK_QUARTER (1u << 16) /* 21 MHz, the data sheet allows 36 */
#define CONVERSION_LIMIT_US 1000

typedef struct {
    uint8_t pin, input;
} analog_input;

static const analog_input INPUTS[] = {
    {PIN_A(0), 0},  {PIN_A(1), 1},  {PIN_A(4), 4},  {PIN_B(0), 8},  {PIN_C(1), 11}, {PIN_C(0), 10}, {PIN_A(5), 5},
    {PIN_A(6), 6},  {PIN_A(7), 7},  {PIN_B(1), 9},  {PIN_C(2), 12}, {PIN_C(3), 13}, {PIN_C(4), 14}, {PIN_C(5), 15},
};

uint8_t zc_hal_analog_count(void)
{
    return sizeof INPUTS / sizeof INPUTS[0];
}

uint8_t zc_hal_analog_pin(uint8_t channel)
{
    return INPUTS[channel].pin;
}

uint8_t zc_hal_analog_bits(void)
{
    return 12;
}

uint16_t zc_hal_analog_read(uint8_t channel)
{
    uint32_t begun_us = board_micros();

    ADC1->SQR3 = INPUTS[channel].input;
    ADC1->SR = 0;
    ADC1->CR2 |= ADC_CR2_SWSTART;
    while (!(ADC1->SR & ADC_SR_EOC) && board_micros() - begun_us < CONVERSION_LIMIT_US) {
    }
    return (uint16_t)ADC1->DR;
}

void adc_start(void)
{
    uint8_t input;

    ADC_CCR = CLOCK_QUARTER;
    for (input = 0; input < 10; input++) {
        ADC1->SMPR2 |= SAMPLE_84_CYCLES << input * 3;
    }
    for (input = 10; input < 16; input++) {
        ADC1->SMPR1 |= SAMPLE_84_CYCLES << (input - 10) * 3;
    }
    ADC1->CR2 = ADC_CR2_ADON;
}
