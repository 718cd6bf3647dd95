// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}
// Pulses of 544 us (0 degrees) to 2400 us (180 degrees), 50 a second, made by the program: any pin will do.

const uint8_t SERVO_PIN = ${pin_servo};
const float LOW_ANGLE = ${low};
const float HIGH_ANGLE = ${high};
const float PERIOD_S = ${period};  // to and fro
const unsigned long FRAME_US = 20000;

//@ include host_link_top.ino

uint8_t makeSafe() {
  digitalWrite(SERVO_PIN, LOW);
  return 1;
}

void setup() {
  pinMode(SERVO_PIN, OUTPUT);
  makeSafe();
  linkBegin();
}

void loop() {
  static unsigned long frameAt = micros();
  static unsigned int frame = 0;
  static uint8_t sinceReport = 0;
  const unsigned int framesInPeriod = PERIOD_S * 1000000.0 / FRAME_US;

  linkPoll();
  if (linkStopped || micros() - frameAt < FRAME_US) return;
  frameAt = micros() - frameAt < 2 * FRAME_US ? frameAt + FRAME_US : micros();
  const float share = 2.0 * frame / framesInPeriod;  // 0 to 1 on the way there, 1 to 2 on the way back
  const float angle = LOW_ANGLE + (HIGH_ANGLE - LOW_ANGLE) * (share <= 1.0 ? share : 2.0 - share);
  frame = (frame + 1) % framesInPeriod;
  const unsigned int pulse = 544 + angle * (2400 - 544) / 180.0;

  digitalWrite(SERVO_PIN, HIGH);
  delayMicroseconds(pulse);
  digitalWrite(SERVO_PIN, LOW);
  if (++sinceReport < 5) return;
  sinceReport = 0;
  Serial.print(F("angle:"));
  Serial.println(angle, 1);
}

//@ include host_link.ino
