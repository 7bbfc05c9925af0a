import { defineScreen, noWay, onlyClose } from '../../flow/screen.ts'
import type { NoticeState } from './notice-screen.tsx'

export const noticeScreen = defineScreen({
  name: 'LOGIN_NOTICE_SCREEN',
  // What is being ended is out of the user's hands.
  ways: ({ step }: NoticeState) => (step.at === 'answering' ? noWay : onlyClose),
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./notice-screen.tsx')).NoticeScreen,
})

export const screens = [noticeScreen] as const
