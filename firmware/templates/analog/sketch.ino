// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}

const uint8_t SENSOR_PIN = ${pin_sensor};
const unsigned long PERIOD_MS = ${period} * 1000.0;
const float FULL_SCALE_VOLTS = ${adc_volts};
const unsigned int FULL_SCALE = ${adc_max};

//@ include host_link_top.ino

uint8_t makeSafe() {
  return 0;  // nothing is driven
}

void setup() {
//@ if wide_adc
  analogReadResolution(${adc_bits});
//@ end
  linkBegin();
}

void loop() {
  static unsigned long readAt = millis();

  linkPoll();
  if (linkStopped || millis() - readAt < PERIOD_MS) return;
  readAt += PERIOD_MS;
  const unsigned int raw = analogRead(SENSOR_PIN);
  const float volts = raw * FULL_SCALE_VOLTS / FULL_SCALE;
  Serial.print(F("raw:"));
  Serial.print(raw);
  Serial.print(F(",volts:"));
  Serial.print(volts, 3);
//@ if kind=tmp36
  // TMP36 (Analog Devices): 500 mV at 0 degrees, 10 mV for each degree.
  Serial.print(F(",temperature:"));
  Serial.print((volts - 0.5) * 100.0, 1);
//@ end
//@ if kind=thermistor
  // Beta equation, 10 kOhm at 25 degrees, B = 3950 K; a wire that is off gives no number.
  if (raw > 0 && raw < FULL_SCALE) {
    const float ohms = 10000.0 * raw / (FULL_SCALE - raw);
    Serial.print(F(",temperature:"));
    Serial.print(1.0 / (1.0 / 298.15 + log(ohms / 10000.0) / 3950.0) - 273.15, 1);
  }
//@ end
  Serial.println();
}

//@ include host_link.ino
