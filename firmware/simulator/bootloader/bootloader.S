; STK500 version 1 bootloader for the ATmega328P: 512 bytes at 0x7E00, 115200 baud.
; version 1.0.0
;
; Written from Atmel application note AVR061 (the STK500 protocol) and the ATmega328P data sheet: section 26
; (self-programming), 10.8 (reset), 19 (USART), 15 (timer 1), 7.4 (EEPROM). It serves
; `avrdude -c arduino -p m328p -b 115200`: synchronise, read the signature, write and read flash by the page, write
; and read EEPROM, start the application. Assembly, because the C version did not fit into the boot section.
;
; After a watchdog reset the application starts at once. After any other reset the loader waits one second for a
; valid command, and each valid command starts that second anew. Empty flash is never started, and the loader never
; writes over itself. The application finds the value that MCUSR had in r2, and the peripherals as after a reset.
;
; Registers: r1 zero; r2 reset flags; r16 command; r17 count; r20..r22 length and memory type; r24 the byte that
; get and put carry; r25 scratch; X page buffer; Y byte address that LOAD_ADDRESS set; Z memory pointer.

#define __SFR_OFFSET 0
#include <avr/io.h>

#define LOADER_START 0x7E00
#define PAGE_BYTES 128
#define PAGE_BUFFER RAMSTART

; AVR061: replies
#define REPLY_OK 0x10
#define REPLY_FAILED 0x11
#define REPLY_IN_SYNC 0x14
#define REPLY_NO_SYNC 0x15
#define END_OF_COMMAND 0x20

; AVR061: commands; the others need no more than an answer
#define SET_PARAMETER 0x40
#define GET_PARAMETER 0x41
#define SET_DEVICE 0x42
#define SET_DEVICE_EXTENDED 0x45
#define LEAVE_PROGRAMMING 0x51
#define LOAD_ADDRESS 0x55
#define UNIVERSAL 0x56
#define PROGRAM_PAGE 0x64
#define READ_PAGE 0x74
#define READ_SIGNATURE 0x75

; Timer 1 counts 15625 per second at clock / 1024; from 0xC300 it overflows after 15616 counts.
#define TIMEOUT_START_HIGH 0xC3

.section .text
.global loader
loader:
    cli
    clr     r1
    ldi     r24, lo8(RAMEND)
    out     SPL, r24
    ldi     r24, hi8(RAMEND)
    out     SPH, r24
    in      r2, MCUSR
    out     MCUSR, r1
    wdr                             ; after its own reset the watchdog goes on with its shortest time
    ldi     r24, (1 << WDCE) | (1 << WDE)
    sts     WDTCSR, r24
    sts     WDTCSR, r1
    sbrc    r2, EXTRF
    rjmp    set_up
    sbrc    r2, WDRF
    rcall   start_application       ; comes back when there is none
set_up:
    ldi     r24, 16                 ; 117647 baud at double speed
    sts     UBRR0L, r24
    ldi     r24, 1 << U2X0
    sts     UCSR0A, r24
    ldi     r24, (1 << RXEN0) | (1 << TXEN0)
    sts     UCSR0B, r24
    ldi     r24, (1 << CS12) | (1 << CS10)
    sts     TCCR1B, r24
    rcall   restart_timeout

serve:
    rcall   get
    mov     r16, r24
    cpi     r16, END_OF_COMMAND     ; no command: out of step by one byte, and this is the way back
    breq    serve
    cpi     r16, LOAD_ADDRESS
    breq    load_address
    cpi     r16, READ_PAGE
    breq    read_page
    cpi     r16, PROGRAM_PAGE
    brne    other_command
    rjmp    program_page
other_command:
    ldi     r17, 1                  ; what follows: bytes to pass over
    cpi     r16, GET_PARAMETER
    breq    pass_over
    ldi     r17, 2
    cpi     r16, SET_PARAMETER
    breq    pass_over
    ldi     r17, 20
    cpi     r16, SET_DEVICE
    breq    pass_over
    ldi     r17, 4
    cpi     r16, UNIVERSAL
    breq    pass_over
    cpi     r16, SET_DEVICE_EXTENDED
    brne    answer
    rcall   get                     ; this size counts itself
    mov     r17, r24
    dec     r17
pass_over:
    rcall   get
    dec     r17
    brne    pass_over
answer:
    mov     r17, r24                ; the last byte: which parameter is asked for
    rcall   command_ends
    cpi     r16, GET_PARAMETER
    breq    give_parameter
    cpi     r16, UNIVERSAL
    breq    give_zero
    cpi     r16, READ_SIGNATURE
    brne    done
    ldi     r24, SIGNATURE_0
    rcall   put
    ldi     r24, SIGNATURE_1
    rcall   put
    ldi     r24, SIGNATURE_2
    rjmp    give
give_parameter:
    ldi     r24, 1                  ; software version 1.0; all other parameters are 0
    cpi     r17, 0x81
    breq    give
give_zero:
    clr     r24
give:
    rcall   put
done:
    ldi     r24, REPLY_OK
    rcall   put
    cpi     r16, LEAVE_PROGRAMMING
    brne    serve
wait_sent:
    lds     r24, UCSR0A
    sbrs    r24, TXC0
    rjmp    wait_sent
    rcall   start_application
    rjmp    serve

load_address:
    rcall   get
    mov     r20, r24
    rcall   get
    mov     r21, r24
    rcall   command_ends
    movw    r28, r20
    lsl     r28                     ; words to bytes
    rol     r29
    rjmp    done

read_page:
    rcall   get_length
    rcall   command_ends
    movw    r30, r28
read_byte:
    cpi     r22, 'F'
    breq    read_flash
    out     EEARH, r31
    out     EEARL, r30
    sbi     EECR, EERE
    in      r24, EEDR
    adiw    r30, 1
    rjmp    read_put
read_flash:
    lpm     r24, Z+
read_put:
    rcall   put
    subi    r20, 1
    sbci    r21, 0
    brne    read_byte
    rjmp    done

program_page:
    rcall   get_length
    tst     r21
    brne    refuse
    cpi     r20, PAGE_BYTES + 1
    brsh    refuse
    mov     r17, r20
    rcall   point_to_buffer
fill_buffer:
    rcall   get
    st      X+, r24
    dec     r17
    brne    fill_buffer
    rcall   command_ends
    rcall   point_to_buffer
    movw    r30, r28
    cpi     r22, 'F'
    brne    program_eeprom
    cpi     r31, hi8(LOADER_START)
    brsh    refuse
    mov     r24, r30
    andi    r24, PAGE_BYTES - 1
    brne    refuse
    ldi     r24, (1 << PGERS) | (1 << SPMEN)
    rcall   self_program
    subi    r20, -1                 ; an odd length is rounded up to whole words
    andi    r20, 0xFE
fill_words:
    ld      r0, X+
    ld      r1, X+
    ldi     r24, 1 << SPMEN
    rcall   self_program
    adiw    r30, 2
    subi    r20, 2
    brne    fill_words
    clr     r1
    movw    r30, r28
    ldi     r24, (1 << PGWRT) | (1 << SPMEN)
    rcall   self_program
    ldi     r24, (1 << RWWSRE) | (1 << SPMEN)
    rcall   self_program
    rjmp    done

program_eeprom:
    out     EEARH, r31
    out     EEARL, r30
    ld      r24, X+
    out     EEDR, r24
    sbi     EECR, EEMPE
    sbi     EECR, EEPE
wait_eeprom:
    sbic    EECR, EEPE
    rjmp    wait_eeprom
    adiw    r30, 1
    dec     r20
    brne    program_eeprom
    rjmp    done

refuse:
    ldi     r24, REPLY_FAILED
    rcall   put
    rjmp    serve

; Length (high byte first) and memory type 'F' or 'E'.
get_length:
    rcall   get
    mov     r21, r24
    rcall   get
    mov     r20, r24
    rcall   get
    mov     r22, r24
    ret

point_to_buffer:
    ldi     r26, lo8(PAGE_BUFFER)
    ldi     r27, hi8(PAGE_BUFFER)
    ret

; One SPM operation (code in r24, address in Z), waited for.
self_program:
    out     SPMCSR, r24
    spm
wait_spm:
    in      r24, SPMCSR
    sbrc    r24, SPMEN
    rjmp    wait_spm
    ret

; The closing byte of a command. Without it the command is dropped, and this does not come back to it.
command_ends:
    rcall   get
    cpi     r24, END_OF_COMMAND
    brne    out_of_sync
    rcall   restart_timeout
    ldi     r24, REPLY_IN_SYNC
put:
    lds     r25, UCSR0A
    sbrs    r25, UDRE0
    rjmp    put
    ldi     r25, (1 << U2X0) | (1 << TXC0)  ; TXC is cleared by writing a one
    sts     UCSR0A, r25
    sts     UDR0, r24
    ret
out_of_sync:
    pop     r25
    pop     r25
    ldi     r24, REPLY_NO_SYNC
    rcall   put
    rjmp    serve

; One received byte in r24; starts the application when none comes for a second.
get:
    lds     r24, UCSR0A
    sbrc    r24, RXC0
    rjmp    take
    sbis    TIFR1, TOV1
    rjmp    get
    rcall   start_application
    rcall   restart_timeout
    rjmp    get
take:
    lds     r24, UDR0
    ret

restart_timeout:
    ldi     r25, TIMEOUT_START_HIGH
    sts     TCNT1H, r25             ; the high byte is written first
    sts     TCNT1L, r1
    sbi     TIFR1, TOV1             ; cleared by writing a one
    ret

; Leave for address 0 unless flash is empty there.
start_application:
    clr     r30
    clr     r31
    lpm     r24, Z+
    lpm     r25, Z
    adiw    r24, 1
    breq    stay
    sts     UCSR0B, r1
    ldi     r24, 1 << TXC0
    sts     UCSR0A, r24
    sts     UBRR0L, r1
    sts     TCCR1B, r1
    sts     TCNT1H, r1
    sts     TCNT1L, r1
    sbi     TIFR1, TOV1
    clr     r31
    clr     r30
    ijmp
stay:
    ret
