import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  app: ['showWalletLoginFirst'],
  client: [
    'loginMethods',
    'loginMethodsAndOrder.primary',
    'loginMethodsAndOrder.overflow',
    'appearance.landingHeader',
    'appearance.loginMessage',
    'appearance.loginGroupPriority',
  ],
}
