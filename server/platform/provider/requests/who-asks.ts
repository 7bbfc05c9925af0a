/** Who asks for a wallet, and for which: what the requests need to know of the apps that are connected. */
import type { Reader } from '../../../kernel/ports.ts'
import { registryKey } from '../../../kernel/registry.ts'
import { accessOf, connectionOf, noteUse } from '../access.ts'
import { requestersOf } from '../requesters.ts'

export type WhoAsks = {
  accessOf: typeof accessOf
  connectionOf: typeof connectionOf
  noteUse: typeof noteUse
  /**
   * The origins of all apps that are registered at this one, because a browser asks (CORS) before it shows its token.
   */
  windowOriginsOf: (reader: Reader, appId: string) => Promise<readonly string[]>
}

export const whoAsks = registryKey<WhoAsks>('who asks for wallets')

export const connectedApps: WhoAsks = {
  accessOf,
  connectionOf,
  noteUse,
  windowOriginsOf: async (reader, appId) =>
    (await requestersOf(reader, appId)).flatMap(({ windowOrigins }) => windowOrigins),
}
