// ---- ZeroClaw link: the app recognises the board by it and can stop it (firmware/protocol/SPEC.md) ----
bool linkStopped = false;
static char linkLine[128];
static uint8_t linkLength = 0;

// Copies the value of a key, with its quotes if it has any; false when the key is not there.
bool linkValue(const char *key, char *value, uint8_t room) {
  const char *at = strstr(linkLine, key);
  if (at == NULL) return false;
  at = strchr(at + strlen(key), ':');
  if (at == NULL) return false;
  do at++; while (*at == ' ');
  const bool quoted = *at == '"';
  uint8_t length = 0;
  while (*at != '\0' && length + 2 < room) {
    value[length++] = *at++;
    if (quoted ? (length > 1 && value[length - 1] == '"') : (*at == ',' || *at == '}' || *at == ' ')) break;
  }
  value[length] = '\0';
  return length > 0;
}

void linkAnswer(const char *id, bool ok) {
  Serial.print(F("{\"id\":"));
  Serial.print(id);
  Serial.print(ok ? F(",\"ok\":true,\"result\":") : F(",\"ok\":false,\"error\":"));
}

//@ if avr
// Mode and level of each pin, as the picture of the board shows them.
static void linkState() {
  Serial.print(F("{\"mode\":\""));
  for (uint8_t pin = 0; pin < ${pin_count}; pin++) {
    const uint8_t port = digitalPinToPort(pin), mask = digitalPinToBitMask(pin);
    char mode = '-';
    if (port != NOT_A_PIN && strchr("${serial_pins}", pin + 1) == NULL) {
      const bool high = *portOutputRegister(port) & mask;
      mode = (*portModeRegister(port) & mask) ? 'o' : high ? 'u' : 'i';
    }
    Serial.print(mode);
  }
  Serial.print(F("\",\"level\":\""));
  for (uint8_t pin = 0; pin < ${pin_count}; pin++) {
    const uint8_t port = digitalPinToPort(pin);
    Serial.print(port == NOT_A_PIN ? '-' : (*portInputRegister(port) & digitalPinToBitMask(pin)) ? '1' : '0');
  }
  Serial.print(F("\",\"pwm\":{},\"servo\":{},\"tone\":{},\"host_ms\":0,\"dropped\":0,\"t\":"));
  Serial.print(millis());
  Serial.println(F("}}"));
}

//@ end
static void linkCommand() {
  char id[24], command[24];
  if (!linkValue("\"cmd\"", command, sizeof command)) return;
  if (!linkValue("\"id\"", id, sizeof id)) strcpy(id, "null");
  if (!strcmp(command, "\"ping\"")) {
    linkAnswer(id, true);
    Serial.println(F("\"pong\"}"));
  } else if (!strcmp(command, "\"capabilities\"")) {
    linkAnswer(id, true);
    Serial.println(F("\"{\\\"proto\\\":1,\\\"fw\\\":\\\"zeroclaw-${key}\\\",\\\"version\\\":\\\"1.0\\\","
                     "\\\"board\\\":\\\"${board_key}\\\",\\\"gpio\\\":[${gpio}],\\\"led_pin\\\":${led_pin},"
                     "\\\"line_max\\\":126,\\\"commands\\\":[${commands}]}\"}"));
  } else if (!strcmp(command, "\"stop_all\"")) {
    linkStopped = true;
    const uint8_t stopped = makeSafe();
    linkAnswer(id, true);
    Serial.print(F("{\"stopped\":"));
    Serial.print(stopped);
    Serial.println(F("}}"));
//@ if avr
  } else if (!strcmp(command, "\"state\"")) {
    linkAnswer(id, true);
    linkState();
//@ end
//@ if protocol
  } else if (runCommand(command, id)) {
    // answered
//@ end
  } else {
    linkAnswer(id, false);
    Serial.println(F("\"not in this sketch\",\"code\":\"unknown_command\"}"));
  }
}

void linkBegin() {
  Serial.begin(${baud});
  Serial.println(F("{\"evt\":\"boot\",\"fw\":\"zeroclaw-${key}\",\"version\":\"1.0\",\"reset\":\"unknown\"}"));
}

void linkPoll() {
  while (Serial.available() > 0) {
    const char next = (char)Serial.read();
    if (next == '\n' || next == '\r') {
      linkLine[linkLength] = '\0';
      if (linkLength > 0 && linkLength < sizeof linkLine - 1) linkCommand();
      linkLength = 0;
    } else if (linkLength < sizeof linkLine - 1) {
      linkLine[linkLength++] = next;
    }
  }
}
// ---- end of the link -----------------------------------------------------------------------------------
