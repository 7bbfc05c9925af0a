import { lazyScreen } from '../../app/screen.ts'

const texts = async () => (await import('../../window-login/texts.arb')).texts

export const telegramScreen = lazyScreen({
  name: 'TELEGRAM_AUTH_SCREEN',
  texts,
  component: async () => (await import('./telegram-screens.tsx')).TelegramScreen,
})

export const screens = [telegramScreen] as const
