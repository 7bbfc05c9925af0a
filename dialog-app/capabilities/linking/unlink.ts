/** Asks the user whether to unlink an account, and unlinks it. */
import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { createCall } from '../../app/screen-stack.ts'
import type { DialogServices } from '../../app/services.ts'
import type { MethodCode, OfferedMethod, UnlinkFlow } from '../../contract/login.ts'
import { exitCodes, failed } from '../../flow/flow.ts'
import { unlinkScreen } from './screens.ts'

export const createUnlinkCalls =
  (
    services: DialogServices,
    { method }: OfferedMethod,
    { account }: MethodCode,
    provider: string | undefined,
  ): UnlinkFlow =>
  (id, name) => {
    /** The reason why the last attempt failed. */
    let problem: LatchkeyError['code'] | undefined
    const onLeave = () => failed(new LatchkeyError(problem ?? exitCodes.link, 'The account stays linked'))

    return createCall<UserRecord>(
      services,
      { kind: 'link', onClose: onLeave, onBack: onLeave },
      ({ open, signal }) =>
        open(unlinkScreen, {
          method,
          provider,
          name,
          async unlink() {
            const user = await account.unlink(id, { signal })
            services.session.replaceUser(user)
            return user
          },
          setProblem(code) {
            problem = code
          },
        }),
    )
  }
