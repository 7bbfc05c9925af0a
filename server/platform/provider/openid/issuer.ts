/** The issuer URL of an app's OpenID provider. */
import { LatchkeyError } from '@latchkey/protocol'
import type { ServerConfig } from '../../../kernel/config.ts'
import type { App } from '../../../kernel/ports.ts'

export const openidPath = (appId: string) => `/apps/${appId}/openid` as const

export const getIssuer = (
  { dialogOrigin }: Pick<ServerConfig, 'dialogOrigin'>,
  { id, config }: App,
): string => (config.customApiUrl ?? dialogOrigin) + openidPath(id)

export const notProvider = () =>
  new LatchkeyError('not_found', 'The wallets of this app are not used in other apps')

/** Throws if the app is no provider. */
export function assertProvider({ config }: App): void {
  if (!config.crossAppProvider) throw notProvider()
}
