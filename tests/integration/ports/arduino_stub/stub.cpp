/* Passes each of Arduino's functions on to the test, and the test's calls to the sketch. */
#include "Arduino.h"

#include "esp_system.h"

/* What the test does for the chip; the number says which function. See host_arduino.py. */
typedef int64_t (*chip_function)(int call, int64_t first, int64_t second, int64_t third);

enum {
    PIN_MODE, DIGITAL_WRITE, DIGITAL_READ, ANALOG_READ, LEDC_ATTACH, LEDC_WRITE, LEDC_DETACH, WAVE, WAVE_END, MICROS,
    WAIT_US, AVAILABLE, READ, WRITE, RESTART, RESET_REASON, WATCH, ADC_BITS
};

static chip_function chip;
static void (*edge_function)(void);

SerialLine Serial;
EspChip ESP;

extern "C" void host_begin(chip_function function)
{
    chip = function;
    setup();
}

extern "C" void host_loop(void)
{
    loop();
}

extern "C" void host_edge(void)
{
    if (edge_function != nullptr) {
        edge_function();
    }
}

static int64_t ask(int call, int64_t first = 0, int64_t second = 0, int64_t third = 0)
{
    return chip(call, first, second, third);
}

void pinMode(uint8_t pin, uint8_t mode) { ask(PIN_MODE, pin, mode); }
void digitalWrite(uint8_t pin, uint8_t level) { ask(DIGITAL_WRITE, pin, level); }
int digitalRead(uint8_t pin) { return (int)ask(DIGITAL_READ, pin); }
uint16_t analogRead(uint8_t pin) { return (uint16_t)ask(ANALOG_READ, pin); }
void analogReadResolution(uint8_t bits) { ask(ADC_BITS, bits); }
void analogWrite(uint8_t pin, int value) { ask(WAVE, pin, value * 1000 / 255, 1000); }
void analogWriteFreq(uint32_t) {}
void analogWriteRange(uint32_t) {}
int startWaveform(uint8_t pin, uint32_t high_us, uint32_t low_us, uint32_t) { return (int)ask(WAVE, pin, high_us, high_us + low_us); }
int stopWaveform(uint8_t pin) { return (int)ask(WAVE_END, pin); }
bool ledcAttachChannel(uint8_t pin, uint32_t hertz, uint8_t bits, uint8_t channel) { return ask(LEDC_ATTACH, pin, channel << 8 | bits, hertz) != 0; }
bool ledcWrite(uint8_t pin, uint32_t duty) { return ask(LEDC_WRITE, pin, duty) != 0; }
bool ledcDetach(uint8_t pin) { return ask(LEDC_DETACH, pin) != 0; }
uint8_t digitalPinToInterrupt(uint8_t pin) { return pin; }
void attachInterrupt(uint8_t number, void (*function)(void), int) { edge_function = function; ask(WATCH, number); }
void detachInterrupt(uint8_t) { edge_function = nullptr; ask(WATCH, -1); }
void noInterrupts(void) {}
void interrupts(void) {}
unsigned long micros(void) { return (unsigned long)ask(MICROS); }
void delayMicroseconds(uint32_t microseconds) { ask(WAIT_US, microseconds); }
void delay(uint32_t milliseconds) { ask(WAIT_US, (int64_t)milliseconds * 1000, 1); }
void enableLoopWDT(void) {}
void feedLoopWDT(void) {}
size_t SerialLine::setRxBufferSize(size_t bytes) { return bytes; }
void SerialLine::begin(unsigned long) {}
int SerialLine::available(void) { return (int)ask(AVAILABLE); }
int SerialLine::read(void) { return (int)ask(READ); }
int SerialLine::availableForWrite(void) { return 64; }
size_t SerialLine::write(uint8_t byte) { ask(WRITE, byte); return 1; }
void SerialLine::flush(void) {}
void EspChip::restart(void) { ask(RESTART); }
void EspChip::wdtFeed(void) {}
rst_info *EspChip::getResetInfoPtr(void) { static rst_info info; info.reason = (uint32_t)ask(RESET_REASON); return &info; }
esp_reset_reason_t esp_reset_reason(void) { return (esp_reset_reason_t)ask(RESET_REASON); }
