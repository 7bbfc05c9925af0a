import type { ClientSetting } from '../../host/idle-settings.ts'

export const clientSettings: readonly ClientSetting[] = [
  'loginMethods',
  'loginMethodsAndOrder.primary',
  'loginMethodsAndOrder.overflow',
  'appearance.landingHeader',
  'appearance.loginMessage',
  'appearance.loginGroupPriority',
]
