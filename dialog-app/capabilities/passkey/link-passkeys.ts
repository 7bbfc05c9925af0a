/** Lists the user's passkeys to add or unlink. Resolves with the user after a passkey was added. */
import { dialogLimits, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { createCall } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { UnlinkFlow } from '../../contract/login.ts'
import { done, exitCodes, type Flow, failed } from '../../flow/flow.ts'
import type { OnCard } from '../../webauthn/through-window.ts'
import { linkPasskeyScreen, passkeyAddedScreen } from './screens.ts'

export function linkPasskeys(ports: CapabilityPorts, on: OnCard, unlink: UnlinkFlow): Flow<UserRecord> {
  /** The error of the last addition, which a close returns to the caller. */
  let problem: LatchkeyError | undefined
  const setProblem = (latest: LatchkeyError | undefined) => {
    problem = latest
  }
  const onClose = () => failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog'))
  return createCall<UserRecord>(ports, { kind: 'link', onClose }, async (card) => {
    const user = await card.open(linkPasskeyScreen, { authenticatorOn: on, unlink, onProblem: setProblem })
    void card.open(passkeyAddedScreen, {})
    card.settle(done(user))
    await card.hold(dialogLimits.successCloseMs)
    return user
  })
}
