import type { ClientSetting } from '../../host/settings.ts'

export const clientSettings: readonly ClientSetting[] = [
  'embeddedWallets.createOnLogin',
  'embeddedWallets.requireUserOwnedRecoveryOnCreate',
]
