import { defineScreen, everyWay } from '../../flow/screen.ts'

export const captchaScreen = defineScreen({
  name: 'CAPTCHA_SCREEN',
  ways: () => everyWay,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./captcha-screen.tsx')).CaptchaScreen,
})

export const screens = [captchaScreen] as const
