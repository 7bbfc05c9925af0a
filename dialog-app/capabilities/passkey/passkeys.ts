import { passkeyRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { MethodCode } from '../../core/login.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import { browserAuthenticator } from '../../webauthn/browser-authenticator.ts'
import { deviceOf, isPasskey } from '../../webauthn/device.ts'
import { linkPasskeys } from './link-flow.ts'
import { startPasskeyLogin } from './passkey-login.ts'
import { passkeyEntry } from './screens.ts'

export const passkeyMethod = (
  ports: CapabilityPorts,
  authenticator: Authenticator = browserAuthenticator,
): MethodCode => ({
  account: {
    type: 'passkey',
    idOf: (account) => (isPasskey(account) ? account.credentialId : undefined),
    nameOf: (account) => (isPasskey(account) ? deviceOf(account) : undefined),
    unlink: (credentialId, asker) => ports.api.call(passkeyRoutes.unlinkPasskey, { credentialId }, asker),
  },
  loadEntry: () => Promise.all([passkeyEntry.component.load(), passkeyEntry.texts.load()]),
  start: (progress) => startPasskeyLogin(ports, authenticator, progress),
  linkFlow: (unlink) => linkPasskeys(ports, authenticator, unlink),
})
