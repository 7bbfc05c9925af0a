import type { CrossAppConnection } from '@latchkey/protocol/api'
/** The provider fields that the screens show. */

export type ProviderApp = {
  appId: string
  name: string
  /** Null without an https URL. */
  iconUrl: string | null
}

export const providerAppOf = ({
  providerAppId,
  providerAppName,
  providerAppIconUrl,
}: Pick<CrossAppConnection, 'providerAppId' | 'providerAppName' | 'providerAppIconUrl'>): ProviderApp => ({
  appId: providerAppId,
  name: providerAppName,
  iconUrl: providerAppIconUrl?.startsWith('https://') ? providerAppIconUrl : null,
})
