// The link to the app; it stands at the end of this file.
extern bool linkStopped;  // the app has stopped everything: outputs stay off until the board is reset
void linkBegin();         // opens the serial line
void linkPoll();          // answers the app; call it often
uint8_t makeSafe();       // switches all outputs off, returns how many there are
//@ if protocol
void linkAnswer(const char *id, bool ok);
bool linkValue(const char *key, char *value, uint8_t room);
bool runCommand(const char *command, const char *id);
//@ end
