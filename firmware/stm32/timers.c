/*
 * PWM, servo pulses and tone (RM0368 sections 12 to 14).
 *
 * timers 1 to 4: PWM at 1 kHz or servo pulses at 50 Hz on the pins of ROUTES, one of the two for all pins of a timer.
 * timer 11: one tone on any pin, by its interrupt.
 * Asking for what a timer, or a channel of it, is not free for is ZC_CONFLICT.
 */
#include "board.h"

#define PWM_HERTZ 1000u
#define PWM_COUNTS 255u /* a duty of 255 is a plain level */
#define SERVO_PERIOD_US 20000u
#define TONE_COUNT_HERTZ 4000000u /* 31 Hz still fits into 16 bits */
#define PWM_MODE_1 6u
#define PRELOAD 1u

typedef struct {
    uint8_t pin, timer, channel, function;
} route;

/* Data sheet DS10086 table 9 (STM32F401) and DS10314 table 9 (STM32F411), which agree here. */
static const route ROUTES[] = {
    {PIN_A(0), 2, 1, 1},  {PIN_A(1), 2, 2, 1},  {PIN_A(5), 2, 1, 1},  {PIN_A(6), 3, 1, 2},  {PIN_A(7), 3, 2, 2},
    {PIN_A(8), 1, 1, 1},  {PIN_A(9), 1, 2, 1},  {PIN_A(10), 1, 3, 1}, {PIN_A(11), 1, 4, 1}, {PIN_A(15), 2, 1, 1},
    {PIN_B(0), 3, 3, 2},  {PIN_B(1), 3, 4, 2},  {PIN_B(3), 2, 2, 1},  {PIN_B(4), 3, 1, 2},  {PIN_B(5), 3, 2, 2},
    {PIN_B(6), 4, 1, 2},  {PIN_B(7), 4, 2, 2},  {PIN_B(8), 4, 3, 2},  {PIN_B(9), 4, 4, 2},  {PIN_B(10), 2, 3, 1},
    {PIN_C(6), 3, 1, 2},  {PIN_C(7), 3, 2, 2},  {PIN_C(8), 3, 3, 2},  {PIN_C(9), 3, 4, 2},
};
#define ROUTE_COUNT (sizeof ROUTES / sizeof ROUTES[0])

static uint8_t tone_pin = ZC_NO_PIN;
static volatile bool tone_level;
static uint32_t tone_begun_us, tone_length_us; /* 0: without end */

static timer_block *timer_at(uint8_t number)
{
    static timer_block *const TIMERS[4] = {TIM1, TIM2, TIM3, TIM4};

    return TIMERS[number - 1];
}

static const route *route_of(uint8_t pin)
{
    uint8_t index;

    for (index = 0; index < ROUTE_COUNT; index++) {
        if (ROUTES[index].pin == pin) {
            return &ROUTES[index];
        }
    }
    return 0;
}

bool zc_hal_has_pwm(uint8_t pin)
{
    return route_of(pin) != 0;
}

bool zc_hal_has_servo(uint8_t pin)
{
    return route_of(pin) != 0;
}

int16_t board_timer_channel(uint8_t pin)
{
    const route *found = route_of(pin);

    return found == 0 ? -1 : (int16_t)(found->timer * 16 + found->channel);
}

/* Before its pins are connected: setting the counter to 0 would make them high at once. */
static void set_up_timer(timer_block *timer, uint32_t prescaler, uint32_t counts)
{
    timer->CR1 = 0;
    timer->PSC = prescaler - 1;
    timer->ARR = counts - 1;
    timer->EGR = TIM_EGR_UG;
    timer->CNT = counts - 1; /* the first period begins at once */
    if (timer == TIM1) {
        timer->BDTR = TIM_BDTR_MOE;
    }
}

/* The channel begins low and takes its first value over at the end of a period, so no pulse is cut or too long. */
static void connect(const route *used)
{
    timer_block *timer = timer_at(used->timer);
    uint8_t channel = used->channel - 1;
    reg *control = &timer->CCMR[channel / 2];
    uint32_t shift = channel % 2u * 8;

    *control = (*control & ~(0xFFu << shift)) | PWM_MODE_1 << (shift + 4);
    timer->CCR[channel] = 0;
    timer->CCER |= 1u << channel * 4;
    *control |= PRELOAD << (shift + 3);
    gpio_set_alternate(used->pin, used->function);
}

static zc_result use_timer(uint8_t pin, zc_mode use, uint16_t value)
{
    const route *wanted = route_of(pin);
    timer_block *timer = timer_at(wanted->timer);
    bool is_running;

    if (timer_is_taken(pin, use, &is_running)) {
        return ZC_CONFLICT;
    }
    if (zc_hal_mode(pin) != use) {
        zc_hal_write(pin, 0); /* ends another use of the pin */
        if (!is_running) {
            uint32_t counts = use == ZC_MODE_PWM ? PWM_COUNTS : SERVO_PERIOD_US;
            uint32_t hertz = use == ZC_MODE_PWM ? PWM_HERTZ * PWM_COUNTS : 1000000u;
            set_up_timer(timer, clock_core_hertz() / hertz, counts);
        }
        connect(wanted);
    }
    timer->CCR[wanted->channel - 1] = value;
    timer->CR1 = TIM_CR1_CEN | TIM_CR1_ARPE;
    pins_note_timer(pin, use, value);
    return ZC_OK;
}

zc_result zc_hal_pwm(uint8_t pin, uint8_t duty)
{
    return use_timer(pin, ZC_MODE_PWM, duty);
}

zc_result zc_hal_servo(uint8_t pin, uint16_t pulse_us)
{
    return use_timer(pin, ZC_MODE_SERVO, pulse_us);
}

static void stop_tone(void)
{
    TIM11->CR1 = 0;
    TIM11->DIER = 0;
    tone_pin = ZC_NO_PIN;
}

void board_release_timer(uint8_t pin, zc_mode mode)
{
    if (mode == ZC_MODE_TONE) {
        stop_tone();
    } else {
        const route *used = route_of(pin);
        board_set_output(pin, true); /* at its latch; a channel that is switched off would let the pin float */
        timer_at(used->timer)->CCER &= ~(1u << (used->channel - 1) * 4);
    }
}

void on_timer11(void)
{
    TIM11->SR = 0;
    if (tone_pin != ZC_NO_PIN) {
        tone_level = !tone_level;
        board_set_latch(tone_pin, tone_level);
    }
}

void timers_poll(void)
{
    if (tone_pin != ZC_NO_PIN && tone_length_us != 0 && board_micros() - tone_begun_us >= tone_length_us) {
        zc_hal_write(tone_pin, 0); /* calls board_release_timer() */
    }
}

zc_result zc_hal_tone(uint8_t pin, uint16_t hertz, uint32_t milliseconds)
{
    if (tone_pin != ZC_NO_PIN && tone_pin != pin) {
        return ZC_CONFLICT;
    }
    zc_hal_write(pin, 0);
    TIM11->CR1 = TIM_CR1_URS;
    TIM11->PSC = clock_core_hertz() / TONE_COUNT_HERTZ - 1;
    TIM11->ARR = (TONE_COUNT_HERTZ / 2 + hertz / 2) / hertz - 1;
    TIM11->EGR = TIM_EGR_UG;
    tone_level = false;
    tone_begun_us = board_micros();
    tone_length_us = milliseconds * 1000;
    tone_pin = pin;
    pins_note_timer(pin, ZC_MODE_TONE, hertz);
    TIM11->DIER = TIM_DIER_UIE;
    TIM11->CR1 = TIM_CR1_URS | TIM_CR1_CEN;
    return ZC_OK;
}

void timers_start(void)
{
    enable_interrupt(IRQ_TIM11);
}
