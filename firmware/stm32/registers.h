/* The registers of the STM32F401 and F411 that are used here; addresses and bits after reference manual RM0368. */
#ifndef REGISTERS_H
#define REGISTERS_H

#include <stdint.h>

typedef volatile uint32_t reg;

typedef struct { /* section 8.4 */
    reg MODER, OTYPER, OSPEEDR, PUPDR, IDR, ODR, BSRR, LCKR, AFR[2];
} gpio_block;
#define GPIO(port) ((gpio_block *)(0x40020000u + 0x400u * (port)))

#define RCC_CR (*(reg *)0x40023800u) /* section 6.3 */
#define RCC_PLLCFGR (*(reg *)0x40023804u)
#define RCC_CFGR (*(reg *)0x40023808u)
#define RCC_AHB1ENR (*(reg *)0x40023830u)
#define RCC_APB1ENR (*(reg *)0x40023840u)
#define RCC_APB2ENR (*(reg *)0x40023844u)
#define RCC_CSR (*(reg *)0x40023874u)
#define CR_HSEON (1u << 16)
#define CR_HSERDY (1u << 17)
#define CR_HSEBYP (1u << 18)
#define CR_PLLON (1u << 24)
#define CR_PLLRDY (1u << 25)
#define AHB1ENR_GPIO_A_TO_D 0xFu
#define APB1ENR_TIM2_TO_5 0xFu
#define APB1ENR_USART2 (1u << 17)
#define APB2ENR_TIM1 (1u << 0)
#define APB2ENR_ADC1 (1u << 8)
#define APB2ENR_SYSCFG (1u << 14)
#define APB2ENR_TIM11 (1u << 18)
#define CSR_RMVF (1u << 24)
#define CSR_BOR (1u << 25)
#define CSR_PIN (1u << 26)
#define CSR_POR (1u << 27)
#define CSR_SFT (1u << 28)
#define CSR_IWDG (1u << 29)
#define CSR_WWDG (1u << 30)

#define FLASH_ACR (*(reg *)0x40023C00u) /* section 3.8.1 */

typedef struct { /* section 19.6 */
    reg SR, DR, BRR, CR1, CR2, CR3;
} usart_block;
#define USART2 ((usart_block *)0x40004400u)
#define USART_SR_FE (1u << 1)
#define USART_SR_NF (1u << 2)
#define USART_SR_ORE (1u << 3)
#define USART_SR_RXNE (1u << 5)
#define USART_SR_TC (1u << 6)
#define USART_SR_TXE (1u << 7)
#define USART_CR1_RE (1u << 2)
#define USART_CR1_TE (1u << 3)
#define USART_CR1_RXNEIE (1u << 5)
#define USART_CR1_UE (1u << 13)

typedef struct { /* sections 12.4 and 13.4 */
    reg CR1, CR2, SMCR, DIER, SR, EGR, CCMR[2], CCER, CNT, PSC, ARR, RCR, CCR[4], BDTR;
} timer_block;
#define TIM1 ((timer_block *)0x40010000u)
#define TIM2 ((timer_block *)0x40000000u)
#define TIM3 ((timer_block *)0x40000400u)
#define TIM4 ((timer_block *)0x40000800u)
#define TIM5 ((timer_block *)0x40000C00u)
#define TIM11 ((timer_block *)0x40014800u)
#define TIM_CR1_CEN (1u << 0)
#define TIM_CR1_URS (1u << 2)
#define TIM_CR1_ARPE (1u << 7)
#define TIM_EGR_UG (1u << 0)
#define TIM_DIER_UIE (1u << 0)
#define TIM_BDTR_MOE (1u << 15)

typedef struct { /* section 11.12 */
    reg SR, CR1, CR2, SMPR1, SMPR2, JOFR[4], HTR, LTR, SQR1, SQR2, SQR3, JSQR, JDR[4], DR;
} adc_block;
#define ADC1 ((adc_block *)0x40012000u)
#define ADC_CCR (*(reg *)0x40012304u)
#define ADC_SR_EOC (1u << 1)
#define ADC_CR2_ADON (1u << 0)
#define ADC_CR2_SWSTART (1u << 30)

#define SYSCFG_EXTICR ((reg *)0x40013808u) /* section 7.2 */
#define EXTI_IMR (*(reg *)0x40013C00u)     /* section 10.3 */
#define EXTI_RTSR (*(reg *)0x40013C08u)
#define EXTI_FTSR (*(reg *)0x40013C0Cu)
#define EXTI_PR (*(reg *)0x40013C14u)

#define IWDG_KR (*(reg *)0x40003000u) /* section 16.4 */
#define IWDG_PR (*(reg *)0x40003004u)
#define IWDG_RLR (*(reg *)0x40003008u)
#define DBGMCU_CR (*(reg *)0xE0042004u) /* section 23.16 */
#define DBGMCU_APB1_FZ (*(reg *)0xE0042008u)
#define DBG_SLEEP 1u
#define APB1_FZ_IWDG (1u << 12)

#define SYST_CSR (*(reg *)0xE000E010u) /* ARMv7-M manual, section B3.3 */
#define SYST_RVR (*(reg *)0xE000E014u)
#define SYST_CVR (*(reg *)0xE000E018u)
#define NVIC_ISER ((reg *)0xE000E100u) /* section B3.4 */
#define SCB_AIRCR (*(reg *)0xE000ED0Cu)

#define IRQ_EXTI0 6
#define IRQ_EXTI4 10
#define IRQ_EXTI9_5 23
#define IRQ_TIM11 26
#define IRQ_USART2 38
#define IRQ_EXTI15_10 40

#endif
