import type { MakesReal } from '../../core/settings.ts'

export const makesReal: MakesReal = {
  app: ['requireUsersAcceptTerms'],
  client: ['legal.requireUsersAcceptTerms'],
}
