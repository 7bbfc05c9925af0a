/** What an operator may set of an app, and how a new app has it. */
import { appConfigSchema, defaultAppSettings } from '@latchkey/protocol'
import * as v from 'valibot'
import { approvalSettings, defaultApprovalSettings } from './approval-settings.ts'
import { chainSettings } from './chain-settings.ts'
import { defaultLoginSettings, loginSettings } from './login-settings.ts'

/** What the `config` column holds: the rest of `AppConfig` is in columns of its own, or is the server's. */
export const storedConfigSchema = v.object({
  ...v.omit(appConfigSchema, ['id', 'name', 'verificationKey', 'createdAt', 'updatedAt', 'allowedDomains'])
    .entries,
  ...chainSettings,
  ...approvalSettings,
  ...loginSettings,
})
export type StoredConfig = v.InferOutput<typeof storedConfigSchema>

/** The settings of a new app. */
export const defaultStoredConfig: StoredConfig = {
  ...defaultAppSettings,
  ...defaultApprovalSettings,
  ...defaultLoginSettings,
}
