/**
 * The page of a confirmation, alone in its tab: it has a handle, and neither a session nor a share. It shows what the
 * server has under the handle, makes the digest of it anew from what it shows, and is decided once. Whoever leaves it
 * undecided, by closing or by reloading, has refused.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import { type ConfirmationToDecide, confirmPageRoutes } from '@latchkey/protocol/api'
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import type { Transport } from '../../../api/transport.ts'
import { type Approval, requestApproval } from '../../../core/approval.ts'
import { done, type Flow, type FlowHandle, failed } from '../../../core/flow.ts'
import { rejectedError } from '../../../core/rejection.ts'
import { screen } from '../../../core/screen.ts'
import type { Subject, SubjectPorts, SubjectStep, Subjects } from '../../../core/subject.ts'
import { pageScreen } from '../screens.ts'
import type { PageProblem, PageState } from './page-screen.tsx'

export type PagePorts = Omit<SubjectPorts, 'signal'> & {
  readonly transport: Transport
  readonly subjects: Subjects
  readonly load: <T>(code: () => Promise<T>) => Promise<T>
  /** Runs when the page goes away: the tab is closed, or goes elsewhere. */
  readonly onLeave: (run: () => void) => void
  /** Closes the tab, where a script may. */
  readonly closePage: () => void
}

type Decision = 'approve' | 'refuse'
type Phase =
  | { readonly at: 'reading' }
  | { readonly at: 'review'; readonly record: ConfirmationToDecide; readonly approval: Approval }
  /** Nothing is left to decide here. */
  | { readonly at: 'over' }

export const confirmationPage =
  (ports: PagePorts, name: string): Flow<void> =>
  (handle) => {
    const page = createPage(ports, name, handle)
    return {
      kind: 'approval',
      run: page.read,
      onClose: () => failed(rejectedError()),
    }
  }

function createPage(ports: PagePorts, name: string, handle: FlowHandle<void>) {
  const { transport, load } = ports
  const { signal } = handle
  let phase: Phase = { at: 'reading' }

  ports.onLeave(() => {
    // Nobody hears the answer: the page is away by then.
    if (phase.at === 'review') tell(phase.record.digest, 'refuse').catch(() => {})
  })

  function show(state: PageState) {
    const view = screen(pageScreen, state, { retry: () => void read() })
    if (handle.isAt(pageScreen)) handle.update(view)
    else handle.replace(view)
  }
  function end(state: PageState) {
    phase = { at: 'over' }
    show(state)
  }
  const refuse = (problem: PageProblem) => end({ status: 'problem', problem })

  async function read() {
    phase = { at: 'reading' }
    show({ status: 'reading' })
    try {
      const record = await recordOf()
      if (!record) return
      const subject = await subjectOf(record)
      if (subject.digest.toLowerCase() !== record.digest) {
        await tell(record.digest, 'refuse')
        return refuse('changed')
      }
      review(record, subject)
    } catch (error) {
      if (!signal.aborted) fail(error)
    }
  }

  async function recordOf(): Promise<ConfirmationToDecide | undefined> {
    const answer = await transport.send(
      confirmPageRoutes.readConfirmation,
      { handle: name },
      { token: null, signal },
    )
    if (answer.state === 'open') return answer
    refuse(problems[answer.state])
    return undefined
  }

  async function subjectOf(record: ConfirmationToDecide): Promise<Subject> {
    const { method } = record.request
    const subject = ports.subjects[method]
    if (!subject) throw new LatchkeyError('not_supported', `Nothing shows ${method}`)
    const readSubject = await load(subject)
    return readSubject(record, { ...ports, signal })
  }

  function review(record: ConfirmationToDecide, subject: Subject) {
    const seen = (step: SubjectStep) => handle.replace(subject.screen(step, handlers))
    const update = (step: SubjectStep) => handle.update(subject.screen(step, handlers))
    const shown = () => ({ by: 'press', gate: approval.gate(), isOwnPage: true }) as const
    const approval = requestApproval('own-page', () => {
      if (isReviewed()) update({ status: 'review', shown: shown() })
    })
    const isReviewed = () => phase.at === 'review' && phase.approval === approval
    const handlers = {
      ...approval.handlers,
      openPage: () => {},
      refuse: () => void decide('refuse'),
    }

    async function decide(decision: Decision) {
      if (!isReviewed()) return
      phase = { at: 'over' }
      update({ status: 'deciding' })
      try {
        decided(await tell(subject.digest, decision))
      } catch (error) {
        fail(error)
      }
    }

    phase = { at: 'review', record, approval }
    seen({ status: 'review', shown: shown() })
    approval.outcome.then(
      () => decide('approve'),
      () => {},
    )
    handle.after(record.expiresInSeconds * 1_000, () => isReviewed() && refuse('expired'))
  }

  /** What is decided is heard though the page goes away. */
  async function tell(digest: string, decision: Decision): Promise<ConfirmationState> {
    const { state } = await transport.send(
      confirmPageRoutes.decideConfirmation,
      { handle: name, digest, decision },
      { token: null, keepalive: true },
    )
    return state
  }

  function decided(state: ConfirmationState) {
    if (state !== 'approved' && state !== 'refused') return refuse(problems[state])
    end({ status: state })
    handle.settle(done(undefined))
    handle.after(walletLimits.signSuccessCloseMs, ports.closePage)
  }

  /** What the server or a chain did not answer may be asked again; anything else is never put to the user. */
  function fail(error: unknown) {
    const code = error instanceof LatchkeyError ? error.code : undefined
    if (code === 'not_found') return refuse('unknown')
    if (code === 'server_unreachable' || code === 'client_request_timeout')
      return end({ status: 'unreachable' })
    refuse('unreadable')
  }

  return { read }
}

const problems: { readonly [state in ConfirmationState]: PageProblem } = {
  open: 'decided',
  approved: 'decided',
  refused: 'decided',
  used: 'decided',
  expired: 'expired',
}
