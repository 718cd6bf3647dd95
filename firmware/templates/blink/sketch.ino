// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}

const uint8_t LED_PIN = ${pin_led};
const uint8_t LED_ON = ${led_on};  // level at which the LED shines
const float BLINKS_PER_SECOND = ${rate};
const unsigned long HALF_PERIOD_US = 500000.0 / BLINKS_PER_SECOND;

//@ include host_link_top.ino

uint8_t makeSafe() {
  digitalWrite(LED_PIN, !LED_ON);
  return 1;
}

void setup() {
  pinMode(LED_PIN, OUTPUT);
  makeSafe();
  linkBegin();
}

void loop() {
  static unsigned long changedAt = micros();
  static bool lit = false;

  linkPoll();
  if (linkStopped || micros() - changedAt < HALF_PERIOD_US) return;
  changedAt += HALF_PERIOD_US;
  lit = !lit;
  digitalWrite(LED_PIN, lit ? LED_ON : !LED_ON);
  Serial.print(F("led:"));
  Serial.println(lit);
}

//@ include host_link.ino
