/** The work of this capability loads once somebody wants it. */
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
import { askForVerification } from './remedy.ts'
import { createHostVerification } from './verify/host-verification.ts'

export type Mfa = {
  remedy: Remedy
  /** The flow of the account entry. */
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
  const ofHost = createHostVerification(ports)
  /** These have not ended: one is shown, others may wait for their turn. */
  const open = new Set<FlowHandle<UserRecord>>()

  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const handle of open) handle.end(failed(mustBeAuthenticated()))
  })

  async function change(start: Start, signal: AbortSignal) {
    await requireUser(ports, { signal })
    let mine: FlowHandle<UserRecord> | undefined
    try {
      const user = await stage.begin<UserRecord>((handle) => {
        mine = handle
        open.add(handle)
        return manageMethods(ports, start)(handle)
      }, signal)
      return { user: hostUser(user) }
    } finally {
      if (mine) open.delete(mine)
    }
  }

  return {
    remedy: askForVerification({ ...ports, ofHost }),
    enrolment: manageMethods(ports),
    calls: {
      rows: mfaCalls,
      handlers: {
        showMfaEnrollment: (_data, { signal }) => change({ at: 'intro' }, signal),
        enrollMfa: ({ method }, { signal }) => change({ at: 'enrolment', method }, signal),
        unenrollMfa: ({ method }, { signal }) => change({ at: 'removal', method }, signal),
        async closeMfaEnrollment() {
          for (const handle of open) handle.end()
          return {}
        },
        initMfa: ({ method }, { signal }) => ofHost.init(method, { signal }),
        async submitMfa({ method, answer }) {
          await ofHost.submit(method, answer)
          return {}
        },
        async cancelMfa() {
          ofHost.cancel()
          return {}
        },
      },
    },
  }
}
