/*
 * As much of Arduino's functions as firmware/esp32 uses, on a computer: each one asks the test (host_arduino.py), which
 * plays the chip. Names and arguments are those of the ESP32 core 3 and the ESP8266 core 3.
 */
#ifndef ARDUINO_H
#define ARDUINO_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define LOW 0
#define HIGH 1
#define INPUT 0x01
#define OUTPUT 0x03
#define INPUT_PULLUP 0x05
#define CHANGE 3
#define IRAM_ATTR
#define ESP_ARDUINO_VERSION_MAJOR 3

void pinMode(uint8_t pin, uint8_t mode);
void digitalWrite(uint8_t pin, uint8_t level);
int digitalRead(uint8_t pin);
uint16_t analogRead(uint8_t pin);
void analogReadResolution(uint8_t bits);
void analogWrite(uint8_t pin, int value);
void analogWriteFreq(uint32_t hertz);
void analogWriteRange(uint32_t range);
bool ledcAttachChannel(uint8_t pin, uint32_t hertz, uint8_t bits, uint8_t channel);
bool ledcWrite(uint8_t pin, uint32_t duty);
bool ledcDetach(uint8_t pin);
uint8_t digitalPinToInterrupt(uint8_t pin);
void attachInterrupt(uint8_t number, void (*function)(void), int edges);
void detachInterrupt(uint8_t number);
void noInterrupts(void);
void interrupts(void);
unsigned long micros(void);
void delayMicroseconds(uint32_t microseconds);
void delay(uint32_t milliseconds);
void enableLoopWDT(void);
void feedLoopWDT(void);

struct rst_info {
    uint32_t reason;
};

struct SerialLine {
    size_t setRxBufferSize(size_t bytes);
    void begin(unsigned long baud);
    int available(void);
    int read(void);
    int availableForWrite(void);
    size_t write(uint8_t byte);
    void flush(void);
};
extern SerialLine Serial;

struct EspChip {
    void restart(void);
    void wdtFeed(void);
    rst_info *getResetInfoPtr(void);
};
extern EspChip ESP;

void setup(void);
void loop(void);

#endif
