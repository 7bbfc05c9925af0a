/** An app object that exists in no database. */
import { defaultAppSettings } from '@latchkey/protocol'
import type { App } from '../identity/apps/apps.ts'
import { defaultApprovalSettings } from '../kernel/app-settings/approval-settings.ts'
import { defaultLoginSettings } from '../kernel/app-settings/login-settings.ts'
import { defaultSponsorSettings } from '../kernel/app-settings/sponsor-settings.ts'

const id = 'lktest0000000000000000001'
const name = 'Fieldnotes'

export const appWith = (settings: Partial<App['config']>): App => ({
  id,
  name,
  config: {
    ...defaultAppSettings,
    id,
    name,
    verificationKey: '',
    createdAt: 0,
    updatedAt: 0,
    ...settings,
  },
  approvals: defaultApprovalSettings,
  login: defaultLoginSettings,
  ...defaultSponsorSettings,
  allowedOrigins: [],
  environment: 'development',
  sessionMode: 'storage',
  maxUsers: null,
  storesEvents: false,
})
