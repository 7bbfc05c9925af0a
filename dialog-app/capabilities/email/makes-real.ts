import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  app: ['emailAuth'],
  client: ['appearance.hideDirectWeb2Inputs'],
  loginMethods: ['email'],
}
