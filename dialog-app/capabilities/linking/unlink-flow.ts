/** A host may ask to unlink an account; the user decides. */
import { type ErrorCode, LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, OfferedMethod, UnlinkFlow } from '../../contract/login.ts'
import { done, exitCodes, failed } from '../../flow/flow.ts'
import { screen } from '../../flow/screen.ts'
import { unlinkScreen } from './screens.ts'

export const unlinkFlow =
  (
    { session }: CapabilityPorts,
    { method }: OfferedMethod,
    { account }: MethodCode,
    provider: string | undefined,
  ): UnlinkFlow =>
  (id, name) =>
  (handle) => {
    let isUnlinking = false
    let problem: ErrorCode | undefined

    const view = () =>
      screen(
        unlinkScreen,
        { method, provider, name, isUnlinking, problem },
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

    return { kind: 'link', run: () => handle.go(view()), onClose: refused, onBack: refused }
  }
