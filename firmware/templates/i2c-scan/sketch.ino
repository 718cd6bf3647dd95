// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}
#include <Wire.h>

const uint8_t SDA_PIN = ${pin_sda};
const uint8_t SCL_PIN = ${pin_scl};
const unsigned long PERIOD_MS = ${period} * 1000.0;
const uint8_t FIRST_ADDRESS = 8, LAST_ADDRESS = 119;  // the others are reserved (NXP UM10204, table 3)

//@ include host_link_top.ino

uint8_t makeSafe() {
  return 0;  // nothing is driven
}

void setup() {
  linkBegin();
//@ if esp32 esp8266
  Wire.begin(SDA_PIN, SCL_PIN);
//@ else
//@ if rp2040 stm32
  Wire.setSDA(SDA_PIN);
  Wire.setSCL(SCL_PIN);
//@ end
  Wire.begin();
//@ end
//@ if avr
  Wire.setWireTimeout(3000, true);  // a line that is held low must not hang the board
//@ end
}

void loop() {
  static unsigned long scannedAt = millis() - PERIOD_MS;

  linkPoll();
  if (linkStopped || millis() - scannedAt < PERIOD_MS) return;
  scannedAt = millis();
  uint8_t found = 0;
  for (uint8_t address = FIRST_ADDRESS; address <= LAST_ADDRESS; address++) {
    Wire.beginTransmission(address);
    if (Wire.endTransmission() != 0) continue;
    found++;
    Serial.print(F("I2C address 0x"));
    if (address < 16) Serial.print('0');
    Serial.print(address, HEX);
    Serial.println(F(" answers"));
  }
  Serial.print(F("devices:"));
  Serial.println(found);
}

//@ include host_link.ino
