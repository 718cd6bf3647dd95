//! The board: pins, time and the serial line of a chip of Espressif, by the crate esp-hal.
#![allow(dead_code)]

use esp_backtrace as _;
use esp_hal::gpio::{AnyPin, InputConfig, Level, OutputConfig, Pull};
use esp_hal::time::Instant;

esp_bootloader_esp_idf::esp_app_desc!();

/// Ticks of [`ticks`] in a microsecond.
pub const TICKS_PER_US: u32 = 1;

/// A pin that is driven.
pub struct Output(esp_hal::gpio::Output<'static>);

impl Output {
    /// Makes the pin an output; it starts at the level.
    pub fn new(pin: u8, high: bool) -> Self {
        // SAFETY: each pin has one owner, since the plan gives no pin twice.
        let pin = unsafe { AnyPin::steal(pin) };
        Output(esp_hal::gpio::Output::new(pin, Level::from(high), OutputConfig::default()))
    }

    /// Sets the level.
    pub fn set(&mut self, high: bool) {
        self.0.set_level(Level::from(high));
    }
}

/// A pin that is read.
pub struct Input(esp_hal::gpio::Input<'static>);

impl Input {
    /// Makes the pin an input with pull-up.
    pub fn pull_up(pin: u8) -> Self {
        // SAFETY: as above.
        let pin = unsafe { AnyPin::steal(pin) };
        Input(esp_hal::gpio::Input::new(pin, InputConfig::default().with_pull(Pull::Up)))
    }

    /// Whether the level is low.
    pub fn is_low(&self) -> bool {
        self.0.is_low()
    }
}

/// A counter of microseconds that wraps around.
pub fn ticks() -> u32 {
    Instant::now().duration_since_epoch().as_micros() as u32
}

/// Prints a line to the computer.
#[macro_export]
macro_rules! say {
    ($($part:tt)*) => { esp_println::println!($($part)*) };
}

#[esp_hal::main]
fn main() -> ! {
    esp_hal::init(esp_hal::Config::default());
    crate::program()
}
