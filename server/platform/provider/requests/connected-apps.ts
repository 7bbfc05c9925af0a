/** The port through which requests read the connected apps. */
import type { Reader } from '../../../kernel/ports.ts'
import { registryKey } from '../../../kernel/registry.ts'
import { findConnection, noteUse, verifyAccess } from '../access.ts'
import { listRequesters } from '../requesters.ts'

export type ConnectedAppsPort = {
  verifyAccess: typeof verifyAccess
  findConnection: typeof findConnection
  noteUse: typeof noteUse
  /**
   * Returns the origins of all registered apps. A CORS preflight carries no token, so it cannot be narrowed to one app.
   */
  listWindowOrigins: (reader: Reader, appId: string) => Promise<readonly string[]>
}

export const connectedAppsPort = registryKey<ConnectedAppsPort>('who asks for wallets')

export const connectedApps: ConnectedAppsPort = {
  verifyAccess,
  findConnection,
  noteUse,
  listWindowOrigins: async (reader, appId) =>
    (await listRequesters(reader, appId)).flatMap(({ windowOrigins }) => windowOrigins),
}
