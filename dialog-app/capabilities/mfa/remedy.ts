/** A call of the wallet asks for a second factor where its user has one, and goes on with it. */
import { LatchkeyError, type MfaMethodType } from '@latchkey/protocol'
import type { Remedy } from '../../wallet/wallet-obstacles.ts'
import type { MfaPorts } from './ports.ts'
import type { HostVerification } from './verify/host-verification.ts'
import { verify } from './verify/verification.ts'

type RemedyPorts = Omit<MfaPorts, 'callWallet'> & { ofHost: HostVerification }

export function askForVerification(ports: RemedyPorts): Remedy {
  const { session, settings, ofHost, stage } = ports

  const known = (): readonly MfaMethodType[] => {
    const state = session.state()
    return state.status === 'authenticated' ? state.user.mfaMethods.map(({ type }) => type) : []
  }

  /** A method that was added in another tab since is not known here. */
  async function methodsOf(signal: AbortSignal): Promise<readonly MfaMethodType[]> {
    if (known().length === 0) await session.reloadUser({ signal })
    const methods = known()
    if (methods.length > 0) return methods
    throw new LatchkeyError('missing_or_invalid_mfa', 'The user has no method of verification')
  }

  return {
    obstacle: 'missing_or_invalid_mfa',
    helps: () => true,
    isDue: () => known().length > 0,
    async overcome(call, callWallet) {
      const { card } = call
      const methods = await methodsOf(card.signal)
      const perform = (verification: Parameters<typeof call.call>[0]) =>
        callWallet({ ...call, call: () => call.call(verification) })
      if (settings().config.mfa?.noPromptOnMfaRequired !== true) {
        return card.interrupt(verify(ports, methods, perform))
      }
      // The page can show nothing while the card covers it.
      const comeBack = stage.stepAside()
      return ofHost.ask(methods, perform, card).finally(comeBack)
    },
  }
}
