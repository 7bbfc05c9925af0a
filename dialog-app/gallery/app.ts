import { type AppConfig, type ClientConfig, defaultAppSettings } from '@latchkey/protocol'
import type { Settings } from '../host/settings.ts'

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

/** The app that the gallery is a dialog of, in the colours and the room that are asked for. */
export const settingsOf = (config: ClientConfig, heightPx: number | undefined): Settings => ({
  app,
  config,
  hostColorScheme: 'normal',
  walletOrigin: 'https://wallet.fieldnotes.example',
  ownOrigins: ['https://login.fieldnotes.example', 'https://wallet.fieldnotes.example'],
  viewport:
    heightPx === undefined
      ? undefined
      : { heightPx, offsetTopPx: 0, insets: { top: 0, right: 0, bottom: 0, left: 0 } },
  hostOrigin: 'https://app.fieldnotes.example',
  addresses: {},
})
