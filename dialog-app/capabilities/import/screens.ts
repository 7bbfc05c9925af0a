import { defineScreen, noWay, onlyClose } from '../../flow/screen.ts'

export const importScreen = defineScreen({
  name: 'EMBEDDED_WALLET_IMPORT_SCREEN',
  // A wallet that is half made is finished first; that takes seconds and has a deadline.
  ways: ({ status }) => (status === 'importing' ? noWay : onlyClose),
  waits: ({ status }) => status === 'opening',
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./import-screen.tsx')).ImportScreen,
})

export const screens = [importScreen] as const
