import type { LinkedAccount, UserRecord } from '@latchkey/protocol'
import { passkeyRoutes } from '@latchkey/protocol/api'
import type { Asker } from '../../api/transport.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MethodInProgress, UnlinkFlow } from '../../core/login.ts'
import type { Authenticator } from './authenticator.ts'
import { browserAuthenticator } from './browser-authenticator.ts'
import { deviceOf, isPasskey } from './device.ts'
import { linkPasskeys } from './link-flow.ts'
import { startPasskeyLogin } from './passkey-login.ts'
import { passkeyEntry } from './screens.ts'

export const bringPasskeys = (
  ports: CapabilityPorts,
  authenticator: Authenticator = browserAuthenticator,
) => ({
  loadEntry: () => Promise.all([passkeyEntry.component.load(), passkeyEntry.texts.load()]),
  start: (progress: MethodInProgress) => startPasskeyLogin(ports, authenticator, progress),
  linkFlow: (unlink: UnlinkFlow) => linkPasskeys(ports, authenticator, unlink),
  nameOf: (account: LinkedAccount) => (isPasskey(account) ? deviceOf(account) : undefined),
  unlink: (credentialId: string, asker: Asker): Promise<UserRecord> =>
    ports.api.call(passkeyRoutes.unlinkPasskey, { credentialId }, asker),
})
