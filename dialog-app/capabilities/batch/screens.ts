import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

export const batchScreen = lazyScreen({
  name: 'CALL_BATCH_SCREEN',
  ways: onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./batch-screen.tsx')).BatchScreen,
})

export const atomicBatchScreen = lazyScreen({
  name: 'ATOMIC_BATCH_SCREEN',
  ways: onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./atomic-screen.tsx')).AtomicBatchScreen,
})

export const screens = [batchScreen, atomicBatchScreen] as const
