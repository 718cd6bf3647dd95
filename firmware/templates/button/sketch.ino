// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}

const uint8_t BUTTON_PIN = ${pin_button};
const uint8_t LED_PIN = ${pin_led};
const uint8_t LED_ON = ${led_on};  // level at which the LED shines
const unsigned long DEBOUNCE_MS = ${debounce};

//@ include host_link_top.ino

uint8_t makeSafe() {
  digitalWrite(LED_PIN, !LED_ON);
  return 1;
}

void setup() {
  pinMode(BUTTON_PIN, INPUT_PULLUP);
  pinMode(LED_PIN, OUTPUT);
  makeSafe();
  linkBegin();
}

void loop() {
  static bool lastSeen = false, pressed = false, lit = false;
  static unsigned long changedAt = 0;

  linkPoll();
  if (linkStopped) return;
  const bool seen = digitalRead(BUTTON_PIN) == LOW;
  if (seen != lastSeen) {
    lastSeen = seen;
    changedAt = millis();
  }
  if (seen == pressed || millis() - changedAt < DEBOUNCE_MS) return;
  pressed = seen;
//@ if mode=toggle
  if (pressed) lit = !lit;
//@ else
  lit = pressed;
//@ end
  digitalWrite(LED_PIN, lit ? LED_ON : !LED_ON);
  Serial.print(F("button:"));
  Serial.print(pressed);
  Serial.print(F(",led:"));
  Serial.println(lit);
}

//@ include host_link.ino
