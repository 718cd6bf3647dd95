// ${title} on the ${board}. Made with ZeroClaw Desktop.
${wiring}
//@ if avr
// Timing after the data sheet of the WS2812B (Worldsemi): a bit lasts 1.25 us, high for 0.4 us (0) or 0.8 us (1).
//@ else
#include <Adafruit_NeoPixel.h>
//@ end

const uint8_t DATA_PIN = ${pin_data};
const uint8_t COUNT = ${count};
const float BRIGHTNESS = ${brightness} / 100.0;
const unsigned long FRAME_MS = 40;

//@ if avr
uint8_t pixels[COUNT * 3];  // green, red, blue of each LED
//@ else
Adafruit_NeoPixel strip(COUNT, DATA_PIN, NEO_GRB + NEO_KHZ800);
//@ end

//@ include host_link_top.ino

void setPixel(uint8_t at, uint8_t red, uint8_t green, uint8_t blue) {
//@ if avr
  pixels[at * 3] = green * BRIGHTNESS;
  pixels[at * 3 + 1] = red * BRIGHTNESS;
  pixels[at * 3 + 2] = blue * BRIGHTNESS;
//@ else
  strip.setPixelColor(at, red * BRIGHTNESS, green * BRIGHTNESS, blue * BRIGHTNESS);
//@ end
}

//@ if avr
// Sends one byte, highest bit first; 20 cycles of 16 MHz a bit: high for 6 cycles (0) or 13 cycles (1).
void sendByte(volatile uint8_t *port, uint8_t high, uint8_t low, uint8_t value) {
  uint8_t bits = 8;
  asm volatile(
    "1: st %a[port], %[high]  \n"  // cycle 0: the line goes high
    "   nop                   \n"
    "   nop                   \n"
    "   sbrs %[value], 7      \n"
    "   st %a[port], %[low]   \n"  // cycle 6: low for a 0
    "   lsl %[value]          \n"
    "   rjmp 2f               \n"
    "2: rjmp 3f               \n"
    "3: nop                   \n"
    "   st %a[port], %[low]   \n"  // cycle 13: low for a 1
    "   nop                   \n"
    "   dec %[bits]           \n"
    "   brne 1b               \n"
    : [bits] "+d"(bits), [value] "+r"(value)
    : [port] "e"(port), [high] "r"(high), [low] "r"(low));
}

//@ end
void show() {
//@ if avr
  volatile uint8_t *port = portOutputRegister(digitalPinToPort(DATA_PIN));
  const uint8_t mask = digitalPinToBitMask(DATA_PIN);
  for (uint16_t at = 0; at < sizeof pixels; at += 3) {
    noInterrupts();  // between LEDs the serial line gets its turn, so that no byte of the app is lost
    const uint8_t high = *port | mask, low = *port & ~mask;
    sendByte(port, high, low, pixels[at]);
    sendByte(port, high, low, pixels[at + 1]);
    sendByte(port, high, low, pixels[at + 2]);
    interrupts();
  }
//@ else
  strip.show();
//@ end
}

uint8_t makeSafe() {
  for (uint8_t at = 0; at < COUNT; at++) setPixel(at, 0, 0, 0);
  show();
  return 1;
}

//@ if effect=rainbow
// Colour of a hue of 0 to 255 at full saturation, as red, green, blue.
void setHue(uint8_t at, uint8_t hue) {
  const uint8_t part = hue / 86, rise = (hue - part * 86) * 3;
  if (part == 0) setPixel(at, 255 - rise, rise, 0);
  else if (part == 1) setPixel(at, 0, 255 - rise, rise);
  else setPixel(at, rise, 0, 255 - rise);
}

//@ end
void setup() {
  pinMode(DATA_PIN, OUTPUT);
  digitalWrite(DATA_PIN, LOW);
//@ if avr
//@ else
  strip.begin();
//@ end
  linkBegin();
  makeSafe();
}

void loop() {
  static unsigned long frameAt = millis();
  static uint8_t hue = 0;

  linkPoll();
  if (linkStopped || millis() - frameAt < FRAME_MS) return;
  frameAt += FRAME_MS;
  for (uint8_t at = 0; at < COUNT; at++) {
//@ if effect=rainbow
    setHue(at, hue + (unsigned int)at * 256 / COUNT);
//@ end
//@ if effect=red
    setPixel(at, 255, 0, 0);
//@ end
//@ if effect=green
    setPixel(at, 0, 255, 0);
//@ end
//@ if effect=blue
    setPixel(at, 0, 0, 255);
//@ end
//@ if effect=white
    setPixel(at, 255, 255, 255);
//@ end
  }
  show();
  hue++;
  if (hue % 8 != 0) return;
  Serial.print(F("hue:"));
  Serial.println(hue);
}

//@ include host_link.ino
