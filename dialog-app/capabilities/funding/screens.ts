import { defineScreen, everyWay } from '../../flow/screen.ts'

const texts = async () => (await import('./texts.arb')).texts

export const promptScreen = defineScreen({
  name: 'FIAT_ON_RAMP_PROMPT_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./prompt-screen.tsx')).PromptScreen,
})

export const statusScreen = defineScreen({
  name: 'FIAT_ON_RAMP_STATUS_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./status-screen.tsx')).StatusScreen,
})

export const receiveScreen = defineScreen({
  name: 'RECEIVE_FUNDS_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./receive-screen.tsx')).ReceiveScreen,
})

export const transferScreen = defineScreen({
  name: 'TRANSFER_FUNDS_SCREEN',
  ways: () => everyWay,
  texts,
  component: async () => (await import('./transfer-screen.tsx')).TransferScreen,
})

export const screens = [promptScreen, statusScreen, receiveScreen, transferScreen] as const
