/** The user's passkeys: one more is made, one that there is goes. */

import {
  dialogLimits,
  LatchkeyError,
  loginMethodRows,
  toLatchkeyError,
  type UserRecord,
} from '@latchkey/protocol'
import { passkeyRoutes } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import { rowFor } from '../../contract/error-table.ts'
import type { UnlinkFlow } from '../../contract/login.ts'
import { done, exitCodes, type Flow, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { createChallenges } from '../../webauthn/challenges.ts'
import { getDeviceName, isPasskey } from '../../webauthn/device.ts'
import type { OnCard } from '../../webauthn/through-window.ts'
import { problems } from './problem.ts'
import { linkPasskeyScreen } from './screens.ts'

export const linkPasskeys =
  ({ api, session, clock }: CapabilityPorts, on: OnCard, unlink: UnlinkFlow): Flow<UserRecord> =>
  (handle) => {
    const asker = { signal: handle.signal }
    const authenticator = on(handle)
    const challenges = createChallenges(clock, () => api.call(passkeyRoutes.beginPasskeyLink, {}, asker))
    let isAdding = false
    /** Why the last one was not added. */
    let problem: LatchkeyError | undefined

    function passkeys() {
      const state = session.state()
      return state.status === 'authenticated' ? state.user.linkedAccounts.filter(isPasskey) : []
    }

    function list() {
      const present = passkeys()
      return screen(
        linkPasskeyScreen,
        {
          status: 'list',
          passkeys: present.map((each) => ({ id: each.credentialId, device: getDeviceName(each) })),
          hasRoom: present.length < loginMethodRows.passkey.maxPerUser,
          isAdding,
          problem: problem && rowFor(problems, problem.code),
        },
        { add: () => void add(), unlink: (id) => void askToUnlink(id) },
      )
    }

    async function add() {
      if (isAdding) return
      isAdding = true
      problem = undefined
      handle.update(list())
      try {
        const { relyingParty, options } = await challenges.present()
        const attestation = await authenticator.create(options, handle.signal)
        challenges.spend()
        const body = { relyingParty, authenticatorResponse: attestation }
        linked(await api.call(passkeyRoutes.linkPasskey, body, asker))
      } catch (error) {
        isAdding = false
        problem = toLatchkeyError(error, 'failed_to_link_account', 'The passkey could not be linked')
        handle.update(list())
      }
    }

    function linked(user: UserRecord) {
      session.replaceUser(user)
      handle.replace(screen(linkPasskeyScreen, { status: 'added' }, { add: () => {}, unlink: () => {} }))
      handle.settle(done(user))
      handle.hold(dialogLimits.successCloseMs).then(() => handle.end())
    }

    async function askToUnlink(id: string) {
      const account = passkeys().find(({ credentialId }) => credentialId === id)
      if (!account || isAdding) return
      problem = undefined
      // The user kept it, or read why it stays.
      await handle.interrupt(unlink(id, getDeviceName(account))).catch(() => {})
      handle.update(list())
    }

    return {
      kind: 'link',
      run: () => handle.go(list()),
      onClose: () => failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog')),
    }
  }
