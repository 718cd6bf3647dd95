#ifndef CORE_ESP8266_WAVEFORM_H
#define CORE_ESP8266_WAVEFORM_H
#include <stdint.h>
int startWaveform(uint8_t pin, uint32_t high_us, uint32_t low_us, uint32_t run_us = 0);
int stopWaveform(uint8_t pin);
#endif
