import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

export const batchScreen = lazyScreen({
  name: 'CALL_BATCH_SCREEN',
  ways: onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./batch-screen.tsx')).BatchScreen,
})

export const screens = [batchScreen] as const
