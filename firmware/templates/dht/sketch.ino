// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}
// One-wire timing after the data sheet of the DHT22/AM2302 (Aosong): the host holds the line low (DHT11: 18 ms),
// the sensor answers with 80 us low and 80 us high, then 40 bits: 50 us low and 26 us (0) or 70 us (1) high.

const uint8_t DATA_PIN = ${pin_data};
const unsigned long PERIOD_MS = ${period} * 1000.0;
//@ if kind=dht11
const uint8_t START_MS = 20;
//@ else
const uint8_t START_MS = 2;
//@ end

//@ include host_link_top.ino

uint8_t makeSafe() {
  pinMode(DATA_PIN, INPUT_PULLUP);
  return 0;
}

// Fills the five bytes; false when the sensor does not answer or the check sum is wrong.
bool readSensor(uint8_t bytes[5]) {
  digitalWrite(DATA_PIN, LOW);
  pinMode(DATA_PIN, OUTPUT);
  delay(START_MS);
  pinMode(DATA_PIN, INPUT_PULLUP);
  if (pulseIn(DATA_PIN, HIGH, 1000) == 0) return false;
  for (uint8_t bit = 0; bit < 40; bit++) {
    const unsigned long width = pulseIn(DATA_PIN, HIGH, 1000);
    if (width == 0) return false;
    bytes[bit / 8] = bytes[bit / 8] << 1 | (width > 48);
  }
  return (uint8_t)(bytes[0] + bytes[1] + bytes[2] + bytes[3]) == bytes[4];
}

void setup() {
  makeSafe();
  linkBegin();
}

void loop() {
  static unsigned long readAt = millis();
  uint8_t bytes[5] = {0, 0, 0, 0, 0};

  linkPoll();
  if (linkStopped || millis() - readAt < PERIOD_MS) return;
  readAt += PERIOD_MS;
  if (!readSensor(bytes)) {
    Serial.println(F("The sensor does not answer: check its wires and its pull-up."));
    return;
  }
//@ if kind=dht11
  const float humidity = bytes[0] + bytes[1] / 10.0;
  const float temperature = (bytes[3] & 0x80 ? -1 : 1) * (bytes[2] + (bytes[3] & 0x7F) / 10.0);
//@ else
  const float humidity = (bytes[0] * 256 + bytes[1]) / 10.0;
  const float temperature = (bytes[2] & 0x80 ? -1 : 1) * ((bytes[2] & 0x7F) * 256 + bytes[3]) / 10.0;
//@ end
  Serial.print(F("temperature:"));
  Serial.print(temperature, 1);
  Serial.print(F(",humidity:"));
  Serial.println(humidity, 1);
}

//@ include host_link.ino
