// An Arduino sketch on the two buses: the real Wire (interrupt driven) and SPI libraries.
#include <Arduino.h>
#include <SPI.h>
#include <Wire.h>

static void scan() {
    for (uint8_t address = 8; address < 0x78; address++) {
        Wire.beginTransmission(address);
        if (Wire.endTransmission() == 0) {
            Serial.print(F("found "));
            Serial.println(address, HEX);
        }
    }
}

void setup() {
    Serial.begin(115200);
    Wire.begin();
    scan();
    Wire.beginTransmission(0x48);
    Wire.write(0x10);
    Wire.endTransmission(false);
    Wire.requestFrom(0x48, 3);
    while (Wire.available()) Serial.println(Wire.read());
    Serial.println(Wire.requestFrom(0x20, 1));
    SPI.begin();
    SPI.beginTransaction(SPISettings(4000000, MSBFIRST, SPI_MODE0));
    for (uint8_t value = 1; value < 4; value++) Serial.println(SPI.transfer(value));
    SPI.endTransaction();
}

void loop() {}
