import { type AppConfig, type ClientConfig, defaultAppSettings } from '@latchkey/protocol'
import { createStore } from 'jotai/vanilla'
import type { Settings, Viewport } from '../host/settings.ts'
import { settingsAtom, viewportAtom } from '../shell/atoms.ts'

const app: AppConfig = {
  ...defaultAppSettings,
  id: 'lkdemo0000000000000000001',
  name: 'Fieldnotes',
  verificationKey: '',
  createdAt: 0,
  updatedAt: 0,
  termsAndConditionsUrl: 'https://fieldnotes.example/terms',
  privacyPolicyUrl: 'https://fieldnotes.example/privacy',
}

/** Settings of the gallery's app with the selected theme. */
export const createSettings = (config: ClientConfig): Settings => ({
  app,
  config,
  hostColorScheme: 'normal',
  walletOrigin: 'https://wallet.fieldnotes.example',
  ownOrigins: ['https://login.fieldnotes.example', 'https://wallet.fieldnotes.example'],
  hostOrigin: 'https://app.fieldnotes.example',
  pageAddress: undefined,
  addresses: {},
})

/** A viewport of this height, without keyboard or notch. */
export const createViewport = (heightPx: number): Viewport => ({
  heightPx,
  offsetTopPx: 0,
  insets: { top: 0, right: 0, bottom: 0, left: 0 },
})

/** Creates the store for a gallery part, with a viewport if a height is given. */
export function createGalleryStore(config: ClientConfig, heightPx?: number) {
  const store = createStore()
  store.set(settingsAtom, createSettings(config))
  if (heightPx !== undefined) store.set(viewportAtom, createViewport(heightPx))
  return store
}
