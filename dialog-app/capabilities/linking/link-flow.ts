/**
 * This flow links one more account, or puts one in the place of another: the method proves it, as it does for a login.
 * `link-state.ts` decides what comes next; this does it.
 */
import { dialogLimits, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../contract/capability.ts'
import {
  entriesOf,
  type MethodCode,
  type MethodInProgress,
  type OfferedMethod,
  type Purpose,
} from '../../contract/login.ts'
import { type FlowHandle, failed, type RunningFlow } from '../../flow/flow.ts'
import { createMachine, partOf } from '../../flow/machine.ts'
import { screen, usablePart } from '../../flow/screen.ts'
import {
  endingOfClose,
  type LinkEffect,
  type LinkEvent,
  type LinkState,
  linkStep,
  unlinked,
} from './link-state.ts'
import { linkScreenOf, updateEmailScreen } from './screens.ts'

export type Link = {
  purpose: Exclude<Purpose, 'login'>
  offered: OfferedMethod
  code: MethodCode
  /** The account is called this where the texts have no word for it. */
  provider: string | undefined
  /** The account with this id gives up its place. */
  replacedId: string | undefined
}

export function createLinkFlow(
  { session, refusals }: CapabilityPorts,
  handle: FlowHandle<UserRecord>,
  { purpose, offered, code, provider, replacedId }: Link,
): RunningFlow<UserRecord> {
  const record = purpose === 'replace' ? updateEmailScreen : linkScreenOf(offered.method)

  const machine = createMachine<LinkState, LinkEvent, LinkEffect>({
    initial: unlinked,
    step: linkStep,
    ...partOf(handle),
    effects: {
      start: async () => ({ type: 'started', started: await code.start(progress) }),
      'show entry'() {
        handle.go(view())
      },
      resume: ({ started }) => started.resume?.(),
      async 'show refusal'({ refusal }) {
        try {
          const next = await refusals.show(handle, refusal)
          if (next === 'start over') startOver()
          else handle.back()
        } catch {
          handle.end(failed(refusal))
        }
      },
      settle: ({ ending }) => handle.settle(ending),
      hold: () => handle.hold(dialogLimits.successCloseMs).then(() => handle.end()),
    },
  })

  function view() {
    const { started } = machine.state()
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
    chosen: () => machine.send({ type: 'chosen' }),
    refreshEntry: () => handle.update(view()),
    isAtEntry: () => handle.isAt(record),
    prove,
    refuse: (cause) => machine.send({ type: 'refused', cause }),
    failed: (problem) => machine.send({ type: 'failed', problem }),
    complete({ user }) {
      session.replaceUser(user)
      machine.send({ type: 'linked', user })
    },
    closesWith: (problem) => machine.send({ type: 'failed', problem }),
    startOver,
    leave: () => handle.end(),
  }

  return {
    kind: 'link',
    run: () => machine.send({ type: 'begin' }),
    onClose: () => endingOfClose(machine.state()),
  }
}
