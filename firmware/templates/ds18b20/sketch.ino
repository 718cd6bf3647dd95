// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}
// 1-Wire timing after the data sheet of the DS18B20 (Maxim), "1-Wire Signaling": reset 480 us, slots of 60 us and
// more, sampled within 15 us. Skip ROM (CCh): one thermometer on the line.

const uint8_t DATA_PIN = ${pin_data};
const unsigned long PERIOD_MS = ${period} * 1000.0;
const unsigned long CONVERSION_MS = 750;  // at 12 bits

//@ include host_link_top.ino

void hold() { pinMode(DATA_PIN, OUTPUT); }
void release() { pinMode(DATA_PIN, INPUT); }

uint8_t makeSafe() {
  release();
  return 0;
}

// True when a thermometer says that it is there.
bool resetLine() {
  digitalWrite(DATA_PIN, LOW);
  hold();
  delayMicroseconds(480);
  noInterrupts();
  release();
  delayMicroseconds(70);
  const bool present = digitalRead(DATA_PIN) == LOW;
  interrupts();
  delayMicroseconds(410);
  return present;
}

void writeByte(uint8_t value) {
  for (uint8_t bit = 0; bit < 8; bit++, value >>= 1) {
    noInterrupts();
    hold();
    if (value & 1) {
      delayMicroseconds(3);
      release();
      interrupts();
      delayMicroseconds(60);
    } else {
      delayMicroseconds(65);
      release();
      interrupts();
      delayMicroseconds(5);
    }
  }
}

uint8_t readByte() {
  uint8_t value = 0;
  for (uint8_t bit = 0; bit < 8; bit++) {
    noInterrupts();
    hold();
    release();
    delayMicroseconds(2);
    const uint8_t level = digitalRead(DATA_PIN);
    interrupts();
    value |= level << bit;
    delayMicroseconds(55);
  }
  return value;
}

// Dallas CRC-8, polynomial x^8 + x^5 + x^4 + 1 (Maxim application note 27).
uint8_t crc8(const uint8_t *bytes, uint8_t count) {
  uint8_t crc = 0;
  while (count--) {
    crc ^= *bytes++;
    for (uint8_t bit = 0; bit < 8; bit++) crc = crc & 1 ? crc >> 1 ^ 0x8C : crc >> 1;
  }
  return crc;
}

void report() {
  uint8_t scratchpad[9];
  if (!resetLine()) {
    Serial.println(F("No thermometer answers: check its wires and the 4.7 kOhm pull-up."));
    return;
  }
  writeByte(0xCC);
  writeByte(0xBE);
  for (uint8_t at = 0; at < 9; at++) scratchpad[at] = readByte();
  // The lowest five bits of the configuration are always 1: a line that is held low reads as zeros all through.
  if (crc8(scratchpad, 8) != scratchpad[8] || (scratchpad[4] & 0x1F) != 0x1F) {
    Serial.println(F("The reading was damaged on the line."));
    return;
  }
  Serial.print(F("temperature:"));
  Serial.println((int16_t)(scratchpad[1] << 8 | scratchpad[0]) / 16.0, 2);
}

void setup() {
  makeSafe();
  linkBegin();
}

void loop() {
  static unsigned long begunAt = millis() - PERIOD_MS;
  static bool converting = false;

  linkPoll();
  if (linkStopped) return;
  if (converting && millis() - begunAt >= CONVERSION_MS) {
    converting = false;
    report();
  }
  if (!converting && millis() - begunAt >= PERIOD_MS) {
    begunAt = millis();
    converting = resetLine();
    if (converting) {
      writeByte(0xCC);
      writeByte(0x44);
    } else {
      Serial.println(F("No thermometer answers: check its wires and the 4.7 kOhm pull-up."));
    }
  }
}

//@ include host_link.ino
