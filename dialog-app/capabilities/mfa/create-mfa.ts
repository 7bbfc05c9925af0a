/** The calls, the remedy and the account entry of second factors. Loaded with their first use. */
import type { UserRecord } from '@latchkey/protocol'
import { mfaCalls } from '@latchkey/protocol/host'
import { isPhone } from '../../browser/device.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { type Flow, type FlowHandle, failed } from '../../flow/flow.ts'
import type { ServedHostCalls } from '../../host/host-calls.ts'
import { hostUser } from '../../host/host-user.ts'
import { mustBeAuthenticated, requireUser } from '../../host/require-user.ts'
import { createWalletCalls, type Remedy } from '../../wallet/wallet-obstacles.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import type { WindowBrowser } from '../../window-login/browser.ts'
import { manageMethods, type Start } from './enrolment.ts'
import type { MfaPorts } from './ports.ts'
import { createRemedy } from './remedy.ts'
import { createHostVerification } from './verify/host-verification.ts'

export type Mfa = {
  remedy: Remedy
  /** The call of the account entry. */
  enrolment: Flow<UserRecord>
  calls: ServedHostCalls<keyof typeof mfaCalls>
}

export function createMfa(
  capability: CapabilityPorts,
  authenticator?: Authenticator,
  browser?: WindowBrowser,
): Mfa {
  const { session, stage } = capability
  const ports: MfaPorts = {
    ...capability,
    async authenticator(card) {
      const [{ browserAuthenticator }, { throughWindow }] = await capability.load(() =>
        Promise.all([
          import('../../webauthn/browser-authenticator.ts'),
          import('../../webauthn/through-window.ts'),
        ]),
      )
      return throughWindow(authenticator ?? browserAuthenticator, { ...capability, browser }, card)
    },
    callWallet: createWalletCalls(capability.remedies),
    isPhone: isPhone(navigator.userAgent),
  }
  const hostVerification = createHostVerification(ports)
  /** The calls of the host that are open or queued. */
  const pending = new Set<FlowHandle<UserRecord>>()

  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const handle of pending) handle.end(failed(mustBeAuthenticated()))
  })

  async function change(start: Start, signal: AbortSignal) {
    await requireUser(ports, { signal })
    let pendingHandle: FlowHandle<UserRecord> | undefined
    try {
      const user = await stage.begin<UserRecord>((handle) => {
        pendingHandle = handle
        pending.add(handle)
        return manageMethods(ports, start)(handle)
      }, signal)
      return { user: hostUser(user) }
    } finally {
      if (pendingHandle) pending.delete(pendingHandle)
    }
  }

  return {
    remedy: createRemedy({ ...ports, hostVerification }),
    enrolment: manageMethods(ports),
    calls: {
      rows: mfaCalls,
      handlers: {
        showMfaEnrollment: (_data, { signal }) => change({ at: 'intro' }, signal),
        enrollMfa: ({ method }, { signal }) => change({ at: 'enrolment', method }, signal),
        unenrollMfa: ({ method }, { signal }) => change({ at: 'removal', method }, signal),
        async closeMfaEnrollment() {
          for (const handle of pending) handle.end()
          return {}
        },
        initMfa: ({ method }, { signal }) => hostVerification.init(method, { signal }),
        async submitMfa({ method, answer }) {
          await hostVerification.submit(method, answer)
          return {}
        },
        async cancelMfa() {
          hostVerification.cancel()
          return {}
        },
      },
    },
  }
}
