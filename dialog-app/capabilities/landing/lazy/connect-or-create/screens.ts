import { lazyScreen } from '../../../../app/screen.ts'
import { entranceOptions } from '../../screens.ts'

/** LANDING with other texts. */
export const connectOrCreateScreen = lazyScreen({
  name: 'CONNECT_OR_CREATE',
  ...entranceOptions,
  texts: async () => (await import('./texts.arb')).texts,
  component: async () => (await import('./screen.tsx')).ConnectOrCreateScreen,
})

export const screens = [connectOrCreateScreen] as const
