import { lazyScreen } from '../../app/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const promptScreen = lazyScreen({
  name: 'FIAT_ON_RAMP_PROMPT_SCREEN',
  component: async () => (await import('./prompt-screen.tsx')).PromptScreen,
  texts,
})

export const statusScreen = lazyScreen({
  name: 'FIAT_ON_RAMP_STATUS_SCREEN',
  component: async () => (await import('./status-screen.tsx')).StatusScreen,
  texts,
})

export const receiveScreen = lazyScreen({
  name: 'RECEIVE_FUNDS_SCREEN',
  component: async () => (await import('./receive-screen.tsx')).ReceiveScreen,
  texts,
})

export const transferScreen = lazyScreen({
  name: 'TRANSFER_FUNDS_SCREEN',
  component: async () => (await import('./transfer-screen.tsx')).TransferScreen,
  texts,
})

export const screens = [promptScreen, statusScreen, receiveScreen, transferScreen] as const
