import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  app: ['smsAuth'],
  client: ['intl.defaultCountry'],
  loginMethods: ['sms'],
}
