/** Links one more account, or replaces one. The method proves it, as for a login. */
import { dialogLimits, LatchkeyError, toLatchkeyError, type UserRecord } from '@latchkey/protocol'
import { createChanges } from '../../app/changes.ts'
import { createCardScreen } from '../../app/screen-stack.ts'
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
import { linkScreenOf, updateEmailScreen } from './screens.ts'

export type Link = {
  purpose: Exclude<Purpose, 'login'>
  offered: OfferedMethod
  code: MethodCode
  /** The name of the provider, for an account without a word in the texts. */
  provider: string | undefined
  /** The id of the account that the new one replaces. */
  replacedId: string | undefined
}

export function createLinkFlow(
  ports: CapabilityPorts,
  handle: FlowHandle<UserRecord>,
  { purpose, offered, code, provider, replacedId }: Link,
): RunningFlow<UserRecord> {
  const { session, refusals } = ports
  let started: StartedMethod | undefined
  let isLinked = false
  /** The caller's error if the user leaves now, if it is more specific than the exit. */
  let problem: LatchkeyError | undefined

  const changes = createChanges()
  const linkScreen = createCardScreen(
    ports,
    handle,
    purpose === 'replace' ? updateEmailScreen : linkScreenOf(offered.method),
    {
      method: offered.method,
      provider,
      methods: {
        subscribe: changes.subscribe,
        version: changes.version,
        entries: () => (started ? entriesOf(started) : []),
      },
      replaced: replacedId,
      isAgain: purpose === 'reauthorize',
    },
  )
  const startOver = () => handle.restart(linkScreen())
  const setProblem = (error: LatchkeyError) => {
    problem = error
  }

  const progress: MethodInProgress = {
    purpose,
    card: handle,
    chosen() {
      problem = undefined
    },
    refreshRows: changes.notify,
    isAtEntry: () => handle.isAt(linkScreen()),
    async prove({ link, replace }, asker) {
      if (replace && replacedId !== undefined) {
        return { user: await replace(replacedId, asker), isNewUser: false }
      }
      if (link) return { user: await link(asker), isNewUser: false }
      throw new LatchkeyError('not_supported', 'This proof is of a login alone')
    },
    refuse(cause) {
      if (isLinked) return
      const refusal = toLatchkeyError(cause, 'failed_to_link_account', 'The account could not be linked')
      setProblem(refusal)
      refusals.show(handle, refusal).then(
        (next) => (next === 'start over' ? startOver() : handle.back()),
        () => handle.end(failed(refusal)),
      )
    },
    failed: setProblem,
    closesWith: setProblem,
    complete({ user }) {
      if (isLinked) return
      isLinked = true
      session.replaceUser(user)
      handle.settle(done(user))
      handle.hold(dialogLimits.successCloseMs).then(() => handle.end())
    },
    startOver,
    leave: () => handle.end(),
  }

  return {
    kind: 'link',
    async run() {
      started = await code.start(progress)
      handle.go(linkScreen())
      started.resume?.()
    },
    onClose: () => failed(problem ?? new LatchkeyError(exitCodes.link, 'The user closed the dialog')),
  }
}
