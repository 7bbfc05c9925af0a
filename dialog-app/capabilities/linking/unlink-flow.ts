/** A host may ask to unlink an account; the user decides. */
import { type ErrorCode, LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../core/flow.ts'
import type { OfferedMethod } from '../../core/login.ts'
import { screen } from '../../core/screen.ts'
import { unlinkScreen } from './screens.ts'

export type Unlink = { readonly offered: OfferedMethod; readonly id: string }

export function createUnlinkFlow(
  { session }: CapabilityPorts,
  handle: FlowHandle<UserRecord>,
  { offered: { method, account }, id }: Unlink,
): RunningFlow<UserRecord> {
  let isUnlinking = false
  let problem: ErrorCode | undefined

  const view = () =>
    screen(
      unlinkScreen,
      { method, id, isUnlinking, problem },
      { unlink: () => void unlink(), keep: () => handle.end(refused()) },
    )

  async function unlink() {
    if (isUnlinking) return
    isUnlinking = true
    handle.update(view())
    try {
      const user = await account.unlink(id, { signal: handle.signal })
      session.replaceUser(user)
      handle.end(done(user))
    } catch (error) {
      isUnlinking = false
      problem = toLatchkeyError(error, 'failed_to_link_account', 'The account could not be unlinked').code
      handle.update(view())
    }
  }

  const refused = () => failed(new LatchkeyError(problem ?? exitCodes.link, 'The account stays linked'))

  return { kind: 'link', run: () => handle.go(view()), onClose: refused }
}
