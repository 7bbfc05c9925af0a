import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  app: [],
  client: [
    'loginMethods',
    'loginMethodsAndOrder.primary',
    'loginMethodsAndOrder.overflow',
    'appearance.landingHeader',
    'appearance.loginMessage',
  ],
}
