// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}

const uint8_t FIRST_PIN = ${pin_first};
const uint8_t SECOND_PIN = ${pin_second};
const uint8_t INPUT_PIN = ${pin_input};
const unsigned long PERIOD_MS = ${period} * 1000.0;
const float VOLTS_PER_STEP = ${adc_volts} / ${adc_max}.0;

//@ include host_link_top.ino

uint8_t makeSafe() {
  return 0;  // nothing is driven
}

void setup() {
  pinMode(INPUT_PIN, INPUT_PULLUP);
//@ if wide_adc
  analogReadResolution(${adc_bits});
//@ end
  linkBegin();
}

void loop() {
  static unsigned long sentAt = millis();

  linkPoll();
  if (linkStopped || millis() - sentAt < PERIOD_MS) return;
  sentAt += PERIOD_MS;
  Serial.print(F("first:"));
  Serial.print(analogRead(FIRST_PIN) * VOLTS_PER_STEP, 3);
  Serial.print(F(",second:"));
  Serial.print(analogRead(SECOND_PIN) * VOLTS_PER_STEP, 3);
  Serial.print(F(",input:"));
  Serial.print(digitalRead(INPUT_PIN));
  Serial.print(F(",uptime:"));
  Serial.println(millis() / 1000.0, 3);
}

//@ include host_link.ino
