import { passkeyRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode } from '../../contract/login.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import { browserAuthenticator } from '../../webauthn/browser-authenticator.ts'
import { getDeviceName, isPasskey } from '../../webauthn/device.ts'
import { type OnCard, throughWindow } from '../../webauthn/through-window.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import { linkPasskeys } from './link-passkeys.ts'
import type { OnUnknown } from './passkey.ts'
import { startPasskeyLogin } from './passkey-login.ts'

export const passkeyMethod = (
  ports: CapabilityPorts,
  {
    authenticator = browserAuthenticator,
    browser,
    onUnknown,
  }: {
    authenticator: Authenticator | undefined
    browser: WindowBrowser | undefined
    onUnknown: OnUnknown
  },
): MethodCode => {
  const on: OnCard = (card) => throughWindow(authenticator, { ...ports, browser }, card)
  return {
    account: {
      type: 'passkey',
      idOf: (account) => (isPasskey(account) ? account.credentialId : undefined),
      nameOf: (account) => (isPasskey(account) ? getDeviceName(account) : undefined),
      unlink: (credentialId, asker) => ports.api.call(passkeyRoutes.unlinkPasskey, { credentialId }, asker),
    },
    start: (progress) => startPasskeyLogin({ ...ports, onUnknown }, on(progress.card), progress),
    linkFlow: (unlink) => linkPasskeys(ports, on, unlink),
  }
}
