import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

export const noticeScreen = lazyScreen({
  name: 'LOGIN_NOTICE_SCREEN',
  ways: onlyClose,
  component: async () => (await import('./notice-screen.tsx')).NoticeScreen,
  texts: async () => (await import('./texts.arb')).texts,
})

export const screens = [noticeScreen] as const
