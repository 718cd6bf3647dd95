// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}
// Requests and answers: firmware/protocol/SPEC.md. Commands: ping, capabilities, state, gpio_read, gpio_write,
// pwm_write, adc_read, stop_all. Pins that are not in the table are refused.

struct PinRow {
  uint8_t number;  // of the board file
  uint8_t pin;     // of the Arduino core
  char use;        // o: output, p: PWM, i: input with pull-up, a: analog
};
const PinRow PINS[] = {
${pin_rows}};
const uint8_t PIN_ROWS = sizeof PINS / sizeof PINS[0];

//@ include host_link_top.ino

uint8_t makeSafe() {
  uint8_t outputs = 0;
  for (uint8_t row = 0; row < PIN_ROWS; row++) {
    if (PINS[row].use == 'p') analogWrite(PINS[row].pin, 0);
    if (PINS[row].use == 'o') digitalWrite(PINS[row].pin, LOW);
    if (PINS[row].use == 'p' || PINS[row].use == 'o') outputs++;
  }
  return outputs;
}

void refuse(const char *id, const __FlashStringHelper *why, const __FlashStringHelper *code) {
  linkAnswer(id, false);
  Serial.print('"');
  Serial.print(why);
  Serial.print(F("\",\"code\":\""));
  Serial.print(code);
  Serial.println(F("\"}"));
}

// A whole number of the request; false when it is not there or is none.
bool number(const char *key, long *value) {
  char text[12];
  if (!linkValue(key, text, sizeof text)) return false;
  char *end;
  *value = strtol(text, &end, 10);
  return end != text && *end == '\0';
}

const PinRow *rowOf(long pin) {
  for (uint8_t row = 0; row < PIN_ROWS; row++) {
    if (PINS[row].number == pin) return &PINS[row];
  }
  return NULL;
}

void done(const char *id) {
  linkAnswer(id, true);
  Serial.println(F("\"done\"}"));
}

// Carries a command out and answers it; false when it is none of these.
bool runCommand(const char *command, const char *id) {
  const bool read = !strcmp(command, "\"gpio_read\""), write = !strcmp(command, "\"gpio_write\"");
  const bool pwm = !strcmp(command, "\"pwm_write\""), adc = !strcmp(command, "\"adc_read\"");
  if (!read && !write && !pwm && !adc) return false;
  long pin, value = 0;
  if (!number("\"pin\"", &pin) || (write && !number("\"value\"", &value)) || (pwm && !number("\"duty\"", &value))) {
    refuse(id, F("An argument is missing"), F("bad_request"));
    return true;
  }
  const PinRow *row = rowOf(pin);
  if (row == NULL) {
    refuse(id, F("The pin is not in the table of this firmware"), F("bad_pin"));
  } else if ((write && row->use != 'o') || (pwm && row->use != 'p') || (adc && row->use != 'a')) {
    refuse(id, F("The table gives this pin another use"), F("unsupported"));
  } else if (value < 0 || value > (pwm ? 255 : 1)) {
    refuse(id, F("The value is out of range"), F("bad_value"));
  } else if (write) {
    digitalWrite(row->pin, value);
    done(id);
  } else if (pwm) {
    analogWrite(row->pin, value);
    done(id);
  } else {
    linkAnswer(id, true);
    if (adc) {
      Serial.print(analogRead(row->pin));
    } else {
      Serial.print(digitalRead(row->pin) ? F("\"1\"") : F("\"0\""));
    }
    Serial.println('}');
  }
  return true;
}

void setup() {
  for (uint8_t row = 0; row < PIN_ROWS; row++) {
    if (PINS[row].use == 'o' || PINS[row].use == 'p') pinMode(PINS[row].pin, OUTPUT);
    if (PINS[row].use == 'i') pinMode(PINS[row].pin, INPUT_PULLUP);
  }
//@ if wide_adc
  analogReadResolution(${adc_bits});
//@ end
  makeSafe();
  linkBegin();
}

void loop() {
  linkPoll();
  linkStopped = false;  // outputs are off after a stop; the next command may switch them on again
}

//@ include host_link.ino
