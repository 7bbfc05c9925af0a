/** Where the OpenID provider of an app is. */
import { LatchkeyError } from '@latchkey/protocol'
import type { ServerConfig } from '../../../kernel/config.ts'
import type { App } from '../../../kernel/ports.ts'

export const openidPath = (appId: string) => `/apps/${appId}/openid` as const

export const issuerOf = ({ dialogOrigin }: Pick<ServerConfig, 'dialogOrigin'>, { id, config }: App): string =>
  (config.customApiUrl ?? dialogOrigin) + openidPath(id)

export const notProvider = () =>
  new LatchkeyError('not_found', 'The wallets of this app are not used in other apps')

/** Throws where the app has it off. */
export function assertProvider({ config }: App): void {
  if (!config.crossAppProvider) throw notProvider()
}
