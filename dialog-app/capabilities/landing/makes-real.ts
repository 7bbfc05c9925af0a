import type { MakesReal } from '../../host/settings.ts'

export const makesReal: MakesReal = {
  client: [
    'loginMethods',
    'loginMethodsAndOrder.primary',
    'loginMethodsAndOrder.overflow',
    'appearance.landingHeader',
    'appearance.loginMessage',
    'appearance.loginGroupPriority',
  ],
}
