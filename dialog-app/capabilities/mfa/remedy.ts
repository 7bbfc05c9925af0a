/** Verifies the user with a second factor for a wallet call that needs one, and makes the call with it. */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import type { Remedy } from '../../wallet/wallet-obstacles.ts'
import type { MfaPorts } from './ports.ts'
import type { HostVerification } from './verify/host-verification.ts'
import { verify } from './verify/verification.ts'

type RemedyPorts = Omit<MfaPorts, 'callWallet'> & { hostVerification: HostVerification }

export function createRemedy(ports: RemedyPorts): Remedy {
  const { session, settings, hostVerification, stage } = ports

  const getMethods = (): readonly MfaMethodType[] => {
    const state = session.state()
    return state.status === 'authenticated' ? state.user.mfaMethods.map(({ type }) => type) : []
  }

  /** Reloads a user without methods, because another tab may have added one. */
  async function requireMethods(signal: AbortSignal): Promise<readonly MfaMethodType[]> {
    if (getMethods().length === 0) await session.reloadUser({ signal })
    const methods = getMethods()
    if (methods.length > 0) return methods
    throw new LatchkeyError('missing_or_invalid_mfa', 'The user has no method of verification')
  }

  return {
    obstacle: 'missing_or_invalid_mfa',
    helps: () => true,
    isDue: () => getMethods().length > 0,
    async overcome(call, callWallet) {
      const { card } = call
      const methods = await requireMethods(card.signal)
      const perform = (verification: Parameters<typeof call.call>[0]) =>
        callWallet({ ...call, call: () => call.call(verification) })
      if (settings().config.mfa?.noPromptOnMfaRequired !== true) {
        return card.interrupt(verify(ports, methods, perform))
      }
      // The host page cannot ask while the card covers it.
      const comeBack = stage.stepAside()
      return hostVerification.ask(methods, perform, card).finally(comeBack)
    },
  }
}
