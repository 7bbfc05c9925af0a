import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

/** The steps of one screen. */
const common = {
  name: 'EMBEDDED_WALLET_KEY_EXPORT_SCREEN',
  ways: onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
} as const
const load = () => import('./export-screen.tsx')

export const connectingScreen = lazyScreen({
  ...common,
  waits: true,
  component: async () => (await load()).Connecting,
})
export const exportScreen = lazyScreen({ ...common, component: async () => (await load()).ExportScreen })
export const failedScreen = lazyScreen({ ...common, component: async () => (await load()).FailedScreen })

export const screens = [connectingScreen, exportScreen, failedScreen] as const
