/* Who may have a timer: see zc_board.h. */
#include "zc_board.h"

/* Whether a pin in this mode keeps its own timer busy. */
static bool uses_own_timer(zc_mode mode)
{
    return mode == ZC_MODE_PWM || mode == ZC_MODE_SERVO || (mode == ZC_MODE_TONE && TONE_BY_OWN_TIMER);
}

bool timer_is_taken(uint8_t pin, zc_mode use, bool *is_running)
{
    int16_t wanted = board_timer_channel(pin);
    uint8_t other;

    *is_running = false;
    for (other = 0; other < PIN_COUNT; other++) {
        zc_mode mode = zc_hal_mode(other);
        int16_t channel = board_timer_channel(other);
        if (channel < 0 || channel / 16 != wanted / 16 || !uses_own_timer(mode)) {
            continue;
        }
        if (other == pin) {
            *is_running = *is_running || mode == use;
        } else if (mode != use || channel == wanted || mode == ZC_MODE_TONE) {
            return true;
        } else {
            *is_running = true;
        }
    }
    return false;
}
