/*
 * Second stage of the boot (data sheet section 2.8.1): the ROM copies the first 256 bytes of the flash to RAM, checks
 * their CRC (filled in by pico_image.py) and runs them. Sets the flash interface up for plain reading (command 03h,
 * which every flash chip has), then starts the program behind it. Registers: section 4.10.13.
 */
    .syntax unified
    .cpu cortex-m0plus
    .thumb

    .equ SSI, 0x18000000
    .equ CTRLR0, 0x00
    .equ CTRLR1, 0x04
    .equ SSIENR, 0x08
    .equ BAUDR, 0x14
    .equ SPI_CTRLR0, 0xF4
    .equ VTOR, 0xE000ED08
    .equ PROGRAM, 0x10000100

    .section .boot2, "ax"
    .global boot2
    .type boot2, %function
boot2:
    ldr     r3, =SSI
    movs    r1, #0
    str     r1, [r3, #SSIENR]
    movs    r1, #4                  /* 31.25 MHz at 125 MHz; command 03h goes to 33 MHz on the slowest chips */
    str     r1, [r3, #BAUDR]
    ldr     r1, =0x001F0300         /* 32-bit frames, one data line, mode "EEPROM read" */
    str     r1, [r3, #CTRLR0]
    ldr     r1, =0x03000218         /* command 03h of 8 bits, 24 bits of address */
    ldr     r0, =SSI + SPI_CTRLR0
    str     r1, [r0]
    movs    r1, #0
    str     r1, [r3, #CTRLR1]
    movs    r1, #1
    str     r1, [r3, #SSIENR]
    ldr     r0, =PROGRAM
    ldr     r1, =VTOR
    str     r0, [r1]
    ldmia   r0, {r0, r1}
    msr     msp, r0
    bx      r1
    .pool
