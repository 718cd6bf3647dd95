// An Arduino sketch: the real core's main, timers, Serial, analogRead, tone, EEPROM and String.
#include <Arduino.h>
#include <EEPROM.h>

void setup() {
    Serial.begin(115200);
    pinMode(LED_BUILTIN, OUTPUT);
    pinMode(4, INPUT_PULLUP);
    analogWrite(6, 64);
    EEPROM.update(10, 0x5A);
    Serial.println(F("ready"));
    Serial.println(EEPROM.read(10), HEX);
    Serial.println(digitalRead(4));
}

void loop() {
    static uint8_t round = 0;
    digitalWrite(LED_BUILTIN, round & 1);
    Serial.print(analogRead(A0));
    Serial.print(' ');
    Serial.println(sqrt(2.0 * round), 4);
    while (Serial.available()) {
        String text = Serial.readStringUntil('\n');
        text.toUpperCase();
        Serial.println("got " + text);
    }
    if (round == 3) tone(8, 1000, 50);
    if (round == 9) noTone(8);
    round++;
    delay(20);
}
