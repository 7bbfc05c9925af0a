import { defineScreen, onlyClose } from '../../flow/screen.ts'

export const batchScreen = defineScreen({
  name: 'CALL_BATCH_SCREEN',
  ways: () => onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./batch-screen.tsx')).BatchScreen,
})

export const screens = [batchScreen] as const
