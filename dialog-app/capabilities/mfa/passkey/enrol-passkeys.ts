/** The user's passkeys: those that there are, and one more where there is room, verify from now on. */
import { passkeyLimits } from '@latchkey/protocol'
import { passkeyRoutes } from '@latchkey/protocol/api'
import { type Approval, requestApproval } from '../../../approval/approval.ts'
import { screen } from '../../../flow/screen.ts'
import { createChallenges } from '../../../webauthn/challenges.ts'
import { deviceOf, isPasskey } from '../../../webauthn/device.ts'
import type { Enrol } from '../enrol/enrolling.ts'
import { type EnrolProblem, enrolProblemOf } from '../enrol/problem.ts'
import { passkeysScreen } from '../screens.ts'

type Phase =
  | { readonly status: 'review'; readonly approval: Approval }
  | { readonly status: 'adding' }
  | { readonly status: 'enabling' }

export const enrolPasskeys: Enrol = async ({ ports, card, change, added }) => {
  const { api, session, clock } = ports
  const asker = { signal: card.signal }
  const challenges = createChallenges(clock, () => api.call(passkeyRoutes.beginPasskeyLink, {}, asker))
  let phase: Phase
  let problem: EnrolProblem | undefined

  function passkeys() {
    const state = session.state()
    return state.status === 'authenticated' ? state.user.linkedAccounts.filter(isPasskey) : []
  }

  function view() {
    const present = passkeys()
    const { status } = phase
    return screen(
      passkeysScreen,
      {
        passkeys: present.map((each) => ({ id: each.credentialId, device: deviceOf(each) })),
        hasRoom: present.length < passkeyLimits.maxPerUser,
        problem,
        ...(status === 'review' ? { status, gate: phase.approval.gate() } : { status }),
      },
      {
        notice: (noticed) => phase.status === 'review' && phase.approval.handlers.notice(noticed),
        add: () => void add(),
      },
    )
  }

  function turnTo(next: Phase) {
    phase = next
    card.update(view())
  }

  /** Whoever has passkeys says that these are to verify them. */
  function review(): Phase {
    const approval = requestApproval('protection', () => {
      if (phase.status === 'review' && phase.approval === approval) card.update(view())
    })
    approval.outcome.then(
      () => enable(),
      () => {},
    )
    return { status: 'review', approval }
  }

  async function enable() {
    turnTo({ status: 'enabling' })
    try {
      added(
        await change.submit({
          method: 'passkey',
          credentialIds: passkeys().map(({ credentialId }) => credentialId),
        }),
      )
    } catch (error) {
      fail(error)
    }
  }

  async function add() {
    if (phase.status !== 'review') return
    problem = undefined
    turnTo({ status: 'adding' })
    try {
      const { relyingParty, options } = await challenges.present()
      const attestation = await (await ports.authenticator(card)).create(options, card.signal)
      challenges.spend()
      if (!card.isAt(passkeysScreen)) return
      const body = { relyingParty, authenticatorResponse: attestation }
      session.replaceUser(await api.call(passkeyRoutes.linkPasskey, body, asker))
    } catch (error) {
      return fail(error)
    }
    await enable()
  }

  function fail(error: unknown) {
    problem = enrolProblemOf(error)
    turnTo(review())
  }

  phase = review()
  card.go(view())
}
