/**
 * The user's passkeys verify from now on: those that there are, and one more where there is room.
 * `enrol-passkeys-state.ts` decides what comes next; this does it.
 */
import { loginMethodRows } from '@latchkey/protocol'
import { passkeyRoutes } from '@latchkey/protocol/api'
import { requestApproval } from '../../../approval/approval.ts'
import { createMachine, partOf } from '../../../flow/machine.ts'
import { screen } from '../../../flow/screen.ts'
import { createChallenges } from '../../../webauthn/challenges.ts'
import { getDeviceName, isPasskey } from '../../../webauthn/device.ts'
import type { Enrol } from '../method-change.ts'
import { passkeysScreen } from '../screens.ts'
import {
  type EnrolPasskeysEffect,
  type EnrolPasskeysEvent,
  type EnrolPasskeysState,
  enrolPasskeysStep,
  unprotected,
} from './enrol-passkeys-state.ts'

export const enrolPasskeys: Enrol = async ({ ports, card, change, added }) => {
  const { api, session, clock } = ports
  const asker = { signal: card.signal }
  const challenges = createChallenges(clock, () => api.call(passkeyRoutes.beginPasskeyLink, {}, asker))

  const machine = createMachine<EnrolPasskeysState, EnrolPasskeysEvent, EnrolPasskeysEffect>({
    initial: unprotected,
    step: enrolPasskeysStep,
    draw(state) {
      const view = viewOf(state)
      if (view) card.update(view)
    },
    ...partOf(card),
    effects: {
      put,
      show() {
        const view = viewOf(machine.state())
        if (view) card.go(view)
      },
      add: () => orFailed(add),
      enable: () => orFailed(enable),
    },
  })

  async function orFailed(
    run: () => Promise<EnrolPasskeysEvent | undefined>,
  ): Promise<EnrolPasskeysEvent | undefined> {
    try {
      return await run()
    } catch (cause) {
      return { type: 'failed', cause }
    }
  }

  function passkeys() {
    const state = session.state()
    return state.status === 'authenticated' ? state.user.linkedAccounts.filter(isPasskey) : []
  }

  function viewOf({ phase, problem }: EnrolPasskeysState) {
    if (phase.at === 'beginning') return undefined
    const present = passkeys()
    return screen(
      passkeysScreen,
      {
        passkeys: present.map((each) => ({ id: each.credentialId, device: getDeviceName(each) })),
        hasRoom: present.length < loginMethodRows.passkey.maxPerUser,
        problem,
        ...(phase.at === 'review' ? { status: phase.at, gate: phase.gate } : { status: phase.at }),
      },
      {
        notice(noticed) {
          const { phase: now } = machine.state()
          if (now.at === 'review') now.approval.handlers.notice(noticed)
        },
        add: () => machine.send({ type: 'add' }),
      },
    )
  }

  function put() {
    const approval = requestApproval('protection', (gate) =>
      machine.send({ type: 'gate changed', approval, gate }),
    )
    machine.send({ type: 'put', approval, gate: approval.gate() })
    approval.outcome.then(
      () => machine.send({ type: 'approved', approval }),
      () => {},
    )
  }

  async function enable(): Promise<undefined> {
    const credentialIds = passkeys().map(({ credentialId }) => credentialId)
    added(await change.submit({ method: 'passkey', credentialIds }))
  }

  async function add(): Promise<EnrolPasskeysEvent | undefined> {
    const { relyingParty, options } = await challenges.present()
    const attestation = await (await ports.authenticator(card)).create(options, card.signal)
    challenges.spend()
    if (!card.isAt(passkeysScreen)) return undefined
    const body = { relyingParty, authenticatorResponse: attestation }
    session.replaceUser(await api.call(passkeyRoutes.linkPasskey, body, asker))
    return { type: 'added' }
  }

  machine.send({ type: 'begin' })
}
