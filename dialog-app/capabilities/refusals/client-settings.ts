import type { ClientSetting } from '../../host/idle-settings.ts'

export const clientSettings: readonly ClientSetting[] = [
  'allowlistConfig.errorTitle',
  'allowlistConfig.errorDetail',
  'allowlistConfig.ctaText',
  'allowlistConfig.ctaLink',
]
