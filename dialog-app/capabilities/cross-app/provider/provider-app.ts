/** A provider as its screens know it. */
import type { CrossAppConnection } from '@latchkey/protocol'

export type ProviderApp = {
  appId: string
  name: string
  /** Where it has one that may be drawn. */
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
