import { definePart, defineScreen } from '../../flow/screen.ts'
import { getWays, texts, waits } from '../../window-login/ways.ts'

export const telegramEntry = definePart({
  texts,
  component: async () => (await import('./telegram-screens.tsx')).TelegramEntry,
})

export const telegramScreen = defineScreen({
  name: 'TELEGRAM_AUTH_SCREEN',
  ways: getWays,
  waits,
  texts,
  component: async () => (await import('./telegram-screens.tsx')).TelegramScreen,
})

export const screens = [telegramScreen] as const
