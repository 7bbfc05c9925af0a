import { lazyScreen } from '../../app/screen.ts'
import { onlyClose } from '../../flow/screen.ts'

/** The steps of one screen. */
const common = {
  name: 'EMBEDDED_WALLET_IMPORT_SCREEN',
  ways: onlyClose,
  texts: async () => (await import('./texts.arb')).texts,
} as const
const load = () => import('./import-screen.tsx')

export const importScreen = lazyScreen({
  ...common,
  waits: true,
  component: async () => (await load()).ImportScreen,
})
export const failedScreen = lazyScreen({ ...common, component: async () => (await load()).FailedScreen })
export const importedScreen = lazyScreen({ ...common, component: async () => (await load()).Imported })

export const screens = [importScreen, failedScreen, importedScreen] as const
