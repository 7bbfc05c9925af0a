/** Names and marks of clouds, the same in every language. */
import type { CloudRecovery } from '@latchkey/protocol/wallet'
import { apple } from '../../../ui/marks/brands/apple.ts'
import { google } from '../../../ui/marks/brands/google.ts'
import type { ProviderLook } from '../../../window-login/entry.tsx'

export const clouds: { [cloud in CloudRecovery]: ProviderLook } = {
  'google-drive': { title: 'Google Drive', mark: google },
  icloud: { title: 'iCloud', mark: apple },
}
