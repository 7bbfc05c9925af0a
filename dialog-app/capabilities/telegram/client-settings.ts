import type { ClientSetting } from '../../host/idle-settings.ts'

export const clientSettings: readonly ClientSetting[] = [
  'telegram.botId',
  'telegram.botName',
  'telegram.linkEnabled',
  'telegram.seamlessAuthEnabled',
]
