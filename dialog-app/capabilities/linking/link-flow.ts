/** Links one more account, or puts one in the place of another: the method proves it, as it does for a login. */
import { dialogLimits, LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import {
  entriesOf,
  type MethodCode,
  type MethodInProgress,
  type OfferedMethod,
  type Purpose,
  type StartedMethod,
} from '../../contract/login.ts'
import { done, exitCodes, type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { screen, usablePart } from '../../flow/screen.ts'
import { linkScreenOf, updateEmailScreen } from './screens.ts'

export type Link = {
  readonly purpose: Exclude<Purpose, 'login'>
  readonly offered: OfferedMethod
  readonly code: MethodCode
  /** What it is called, where the texts have no word for it. */
  readonly provider: string | undefined
  /** Of the account whose place is taken. */
  readonly replacedId: string | undefined
}

export function createLinkFlow(
  { session, refusals }: CapabilityPorts,
  handle: FlowHandle<UserRecord>,
  { purpose, offered, code, provider, replacedId }: Link,
): RunningFlow<UserRecord> {
  const record = purpose === 'replace' ? updateEmailScreen : linkScreenOf(offered.method)
  let started: StartedMethod | undefined
  /** Why it did not come to a link, where more than the user's leaving is known. */
  let problem: LatchkeyError | undefined

  function view() {
    const entries = started ? entriesOf(started) : []
    const isAgain = purpose === 'reauthorize'
    return screen(record, { method: offered.method, provider, entries, replaced: replacedId, isAgain }, {})
  }

  async function prove(
    { link, replace }: Parameters<MethodInProgress['prove']>[0],
    asker: Parameters<MethodInProgress['prove']>[1],
  ) {
    if (replace && replacedId !== undefined)
      return { user: await replace(replacedId, asker), isNewUser: false }
    if (link) return { user: await link(asker), isNewUser: false }
    throw new LatchkeyError('not_supported', 'This proof is of a login alone')
  }

  const startOver = () => handle.restart(view())

  const progress: MethodInProgress = {
    purpose,
    card: handle,
    entry: (part, state, handlers) => usablePart(part, state, handlers, () => handle.isUsable(record)),
    chosen() {
      problem = undefined
    },
    refreshEntry: () => handle.update(view()),
    isAtEntry: () => handle.isAt(record),
    prove,
    refuse(error) {
      const refusal = toLatchkeyError(error, 'failed_to_link_account', 'The account could not be linked')
      problem = refusal
      refusals
        .screenFor(refusal, { goBack: handle.back, startOver })
        .then(handle.go, () => handle.end(failed(refusal)))
    },
    failed(failure) {
      problem = failure
    },
    complete({ user }) {
      session.replaceUser(user)
      handle.settle(done(user))
      handle.hold(dialogLimits.successCloseMs).then(() => handle.end())
    },
    closesWith(failure) {
      problem = failure
    },
    startOver,
    leave: () => handle.end(),
  }

  return {
    kind: 'link',
    async run() {
      started = await code.start(progress)
      handle.go(view())
      started.resume?.()
    },
    onClose: () => failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog')),
  }
}
