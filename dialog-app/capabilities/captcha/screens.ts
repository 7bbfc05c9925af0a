import { lazyScreen } from '../../app/screen.ts'

export const captchaScreen = lazyScreen({
  name: 'CAPTCHA_SCREEN',
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./captcha-screen.tsx')).CaptchaScreen,
})

export const screens = [captchaScreen] as const
