import type { ClientSetting } from '../../host/settings.ts'

export const clientSettings: readonly ClientSetting[] = [
  'loginConfig.twitterOAuthOnMobileEnabled',
  'loginConfig.oauthTokens',
]
