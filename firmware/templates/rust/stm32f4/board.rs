//! The board: pins, time and the serial line of a Nucleo F401RE or F411RE, by their registers.
//!
//! Addresses and bits: ST reference manuals RM0368 (F401) and RM0383 (F411), and the ARMv7-M manual for the
//! cycle counter. The chip runs on its internal oscillator of 16 MHz.
#![allow(dead_code)]

use core::fmt;
use core::ptr::{addr_of, addr_of_mut, read_volatile, write_volatile};

/// Ticks of [`ticks`] in a microsecond.
pub const TICKS_PER_US: u32 = 16;

const RCC_AHB1ENR: u32 = 0x4002_3830;
const RCC_APB1ENR: u32 = 0x4002_3840;
const GPIO: u32 = 0x4002_0000;
const USART2: u32 = 0x4000_4400;
const CPACR: u32 = 0xE000_ED88;
const DEMCR: u32 = 0xE000_EDFC;
const DWT_CTRL: u32 = 0xE000_1000;
const DWT_CYCCNT: u32 = 0xE000_1004;

fn read(address: u32) -> u32 {
    // SAFETY: every address here is a register of the chip that may be read.
    unsafe { read_volatile(address as usize as *const u32) }
}

fn write(address: u32, value: u32) {
    // SAFETY: every address here is a register of the chip that may be written.
    unsafe { write_volatile(address as usize as *mut u32, value) }
}

fn change(address: u32, mask: u32, value: u32) {
    write(address, (read(address) & !mask) | value);
}

/// Register of the port of a pin; pins are counted from PA0 = 0, 16 for each port.
fn port(pin: u8, offset: u32) -> u32 {
    GPIO + 0x400 * u32::from(pin / 16) + offset
}

fn set_mode(pin: u8, mode: u32) {
    let at = 2 * u32::from(pin % 16);
    change(RCC_AHB1ENR, 0, 1 << (pin / 16));
    change(port(pin, 0x00), 3 << at, mode << at);
}

/// A pin that is driven.
pub struct Output(u8);

impl Output {
    /// Makes the pin an output; it starts at the level.
    pub fn new(pin: u8, high: bool) -> Self {
        change(RCC_AHB1ENR, 0, 1 << (pin / 16));
        let mut output = Output(pin);
        output.set(high);
        set_mode(pin, 1);
        output
    }

    /// Sets the level.
    pub fn set(&mut self, high: bool) {
        let bit = 1 << (self.0 % 16);
        write(port(self.0, 0x18), if high { bit } else { bit << 16 });
    }
}

/// A pin that is read.
pub struct Input(u8);

impl Input {
    /// Makes the pin an input with pull-up.
    pub fn pull_up(pin: u8) -> Self {
        set_mode(pin, 0);
        let at = 2 * u32::from(pin % 16);
        change(port(pin, 0x0C), 3 << at, 1 << at);
        Input(pin)
    }

    /// Whether the level is low.
    pub fn is_low(&self) -> bool {
        read(port(self.0, 0x10)) & (1 << (self.0 % 16)) == 0
    }
}

/// A counter that runs with TICKS_PER_US and wraps around.
pub fn ticks() -> u32 {
    read(DWT_CYCCNT)
}

/// The serial line to the computer: USART2, 115200 baud.
pub struct Line;

impl fmt::Write for Line {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            while read(USART2) & (1 << 7) == 0 {}
            write(USART2 + 4, u32::from(byte));
        }
        Ok(())
    }
}

/// Prints a line to the computer.
#[macro_export]
macro_rules! say {
    ($($part:tt)*) => {{
        use core::fmt::Write;
        let _ = writeln!($crate::board::Line, $($part)*);
    }};
}

extern "C" {
    static mut data_start: u32;
    static mut data_end: u32;
    static data_source: u32;
    static mut bss_start: u32;
    static mut bss_end: u32;
}

/// The vectors after the stack pointer, which the linker script writes: reset, then 14 exceptions.
#[link_section = ".vectors"]
#[used]
pub static VECTORS: [unsafe extern "C" fn() -> !; 15] = {
    let mut vectors: [unsafe extern "C" fn() -> !; 15] = [stuck; 15];
    vectors[0] = reset;
    vectors
};

unsafe extern "C" fn stuck() -> ! {
    loop {}
}

/// First code after a reset.
///
/// # Safety
/// Only the chip itself may call it.
#[no_mangle]
pub unsafe extern "C" fn reset() -> ! {
    let (mut from, mut to) = (addr_of!(data_source), addr_of_mut!(data_start));
    while to < addr_of_mut!(data_end) {
        write_volatile(to, read_volatile(from));
        to = to.add(1);
        from = from.add(1);
    }
    let mut to = addr_of_mut!(bss_start);
    while to < addr_of_mut!(bss_end) {
        write_volatile(to, 0);
        to = to.add(1);
    }
    change(CPACR, 0, 0xF << 20); // the floating-point unit
    change(DEMCR, 0, 1 << 24);
    change(DWT_CTRL, 0, 1);
    change(RCC_AHB1ENR, 0, 1);
    change(RCC_APB1ENR, 0, 1 << 17);
    change(port(2, 0x20), 0xF << 8, 7 << 8); // PA2: alternate function 7, USART2_TX
    set_mode(2, 2);
    write(USART2 + 8, 139); // 16 MHz / 115200
    write(USART2 + 12, 1 << 13 | 1 << 3);
    crate::program()
}

#[panic_handler]
fn panic(_info: &core::panic::PanicInfo) -> ! {
    loop {}
}
