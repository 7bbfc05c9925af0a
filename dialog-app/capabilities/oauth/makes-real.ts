import type { MakesReal } from '../../host/settings.ts'

export const makesReal: MakesReal = {
  client: ['loginConfig.twitterOAuthOnMobileEnabled', 'loginConfig.oauthTokens'],
}
