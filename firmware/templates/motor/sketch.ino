// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}

const uint8_t SPEED_PIN = ${pin_speed};
const uint8_t FORWARD_PIN = ${pin_forward};
const uint8_t BACKWARD_PIN = ${pin_backward};
const float HIGHEST_PERCENT = ${power};
const unsigned long RUN_MS = ${period} * 1000.0;  // in each direction, ramps included
const unsigned long REST_MS = 1000;               // between them, so that the motor stands still
const unsigned long RAMP_MS = RUN_MS / 4;
const unsigned long STEP_MS = 50;

//@ include host_link_top.ino

uint8_t makeSafe() {
  analogWrite(SPEED_PIN, 0);
  digitalWrite(FORWARD_PIN, LOW);
  digitalWrite(BACKWARD_PIN, LOW);
  return 3;
}

void drive(float percent) {
  digitalWrite(FORWARD_PIN, percent > 0 ? HIGH : LOW);
  digitalWrite(BACKWARD_PIN, percent < 0 ? HIGH : LOW);
  analogWrite(SPEED_PIN, abs(percent) * 255 / 100 + 0.5);
}

void setup() {
  pinMode(SPEED_PIN, OUTPUT);
  pinMode(FORWARD_PIN, OUTPUT);
  pinMode(BACKWARD_PIN, OUTPUT);
  makeSafe();
  linkBegin();
}

// Speed at a time of one run: up, steady, down, as a share of the highest.
float ramp(unsigned long at) {
  if (at < RAMP_MS) return (float)at / RAMP_MS;
  if (at > RUN_MS - RAMP_MS) return (float)(RUN_MS - at) / RAMP_MS;
  return 1.0;
}

void loop() {
  static unsigned long stepAt = millis(), begunAt = millis();

  linkPoll();
  if (linkStopped || millis() - stepAt < STEP_MS) return;
  stepAt += STEP_MS;
  const unsigned long cycle = 2 * (REST_MS + RUN_MS);
  if (millis() - begunAt >= cycle) begunAt += cycle;
  const unsigned long at = millis() - begunAt, inHalf = at % (REST_MS + RUN_MS);
  const float share = inHalf < REST_MS ? 0.0 : ramp(inHalf - REST_MS);
  const float percent = (at < REST_MS + RUN_MS ? 1 : -1) * share * HIGHEST_PERCENT;
  drive(percent);
  Serial.print(F("speed:"));
  Serial.println(percent, 0);
}

//@ include host_link.ino
