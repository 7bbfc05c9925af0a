import { defineScreen, onlyClose } from '../../flow/screen.ts'

export const exportScreen = defineScreen({
  name: 'EMBEDDED_WALLET_KEY_EXPORT_SCREEN',
  ways: () => onlyClose,
  waits: ({ status }) => status === 'connecting',
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./export-screen.tsx')).ExportScreen,
})

export const screens = [exportScreen] as const
