import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  app: ['passkeyAuth'],
  client: [],
  loginMethods: ['passkey'],
}
