/** What this capability does, once it is wanted. */
import type { MfaMethodType, UserRecord } from '@latchkey/protocol'
import type { ShowAccountEntry } from '../../core/account.ts'
import type { CapabilityPorts } from '../../core/capability.ts'
import { isPhone } from '../../core/device.ts'
import { type FlowHandle, failed } from '../../core/flow.ts'
import { mustBeAuthenticated, requireUser } from '../../core/require-user.ts'
import { sendTo, showPart } from '../../core/screen.ts'
import { createWalletCalls, type Remedy } from '../../core/wallet-obstacles.ts'
import type { Authenticator } from '../../webauthn/authenticator.ts'
import { enrolmentFlow } from './enrol/enrolment-flow.ts'
import type { MfaPorts } from './ports.ts'
import { askForVerification } from './remedy.ts'
import { accountEntry } from './screens.ts'
import { createHostVerification, type HostVerification } from './verify/host-verification.ts'

export type Mfa = {
  readonly remedy: Remedy
  /** For a host that asks for verifications itself. */
  readonly ofHost: HostVerification
  /** Opens the screens where methods are added and removed. */
  readonly showEnrollment: (signal: AbortSignal) => Promise<UserRecord>
  readonly closeEnrollment: () => void
  readonly showEntry: ShowAccountEntry
}

type Outside = {
  readonly authenticator?: Authenticator | undefined
  readonly tellHost: (methods: readonly MfaMethodType[]) => void
}

export function createMfa(capability: CapabilityPorts, { authenticator, tellHost }: Outside): Mfa {
  const { session, stage } = capability
  const ports: MfaPorts = {
    ...capability,
    authenticator: async () =>
      authenticator ??
      (await capability.load(() => import('../../webauthn/browser-authenticator.ts'))).browserAuthenticator,
    callWallet: createWalletCalls(capability.remedies),
    isPhone: isPhone(navigator.userAgent),
  }
  const ofHost = createHostVerification(ports, tellHost)
  /** Those that have not ended: one is shown, others may wait for their turn. */
  const open = new Set<FlowHandle<UserRecord>>()

  session.subscribe((state) => {
    if (state.status !== 'visitor') return
    for (const handle of open) handle.end(failed(mustBeAuthenticated()))
  })

  return {
    remedy: askForVerification({ ...ports, ofHost }),
    ofHost,
    async showEnrollment(signal) {
      await requireUser(ports, { signal })
      let mine: FlowHandle<UserRecord> | undefined
      try {
        return await stage.begin<UserRecord>((handle) => {
          mine = handle
          open.add(handle)
          return enrolmentFlow(ports)(handle)
        }, signal)
      } finally {
        if (mine) open.delete(mine)
      }
    },
    showEntry({ user, card, isUsable }) {
      const open = () => void card.interrupt(enrolmentFlow(ports)).catch(() => {})
      const state = { isOn: user.mfaMethods.length > 0 }
      return showPart(accountEntry, state, sendTo({ open }, isUsable))
    },
    closeEnrollment() {
      for (const handle of open) handle.end()
    },
  }
}
