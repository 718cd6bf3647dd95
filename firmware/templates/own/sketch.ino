// ${title} on the ${board}. Made with ZeroClaw Desktop.

//@ include host_link_top.ino

uint8_t makeSafe() {
  return 0;  // switch your outputs off here, and return how many there are
}

void setup() {
  linkBegin();
}

void loop() {
  linkPoll();
  if (linkStopped) return;
  // what the board does; a line such as "speed:12.5" appears in the plots
}

//@ include host_link.ino
