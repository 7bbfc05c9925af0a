import { lazyScreen } from '../../app/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const delegationScreen = lazyScreen({
  name: 'DELEGATION_SCREEN',
  waits: true,
  isUnderOthers: true,
  component: async () => (await import('./delegation-screen.tsx')).DelegationScreen,
  texts,
})

export const changeDelegateScreen = lazyScreen({
  name: 'CHANGE_DELEGATE_SCREEN',
  component: async () => (await import('./change-delegate-screen.tsx')).ChangeDelegateScreen,
  texts,
})

export const screens = [delegationScreen, changeDelegateScreen] as const
