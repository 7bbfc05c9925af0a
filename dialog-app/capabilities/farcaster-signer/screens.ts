import { defineScreen, onlyClose } from '../../flow/screen.ts'

export const signerScreen = defineScreen({
  name: 'AWAITING_FARCASTER_SIGNER',
  ways: () => onlyClose,
  waits: ({ status }) => status === 'opening',
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./signer-screen.tsx')).SignerScreen,
})

export const screens = [signerScreen] as const
