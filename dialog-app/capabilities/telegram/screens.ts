import { definePart, defineScreen } from '../../flow/screen.ts'
import { texts, waits, waysOf } from '../../window-login/ways.ts'

export const telegramEntry = definePart({
  texts,
  component: async () => (await import('./telegram-entry.tsx')).TelegramEntry,
})

export const telegramScreen = defineScreen({
  name: 'TELEGRAM_AUTH_SCREEN',
  ways: waysOf,
  waits,
  texts,
  component: async () => (await import('./telegram-screen.tsx')).TelegramScreen,
})

export const screens = [telegramScreen] as const
