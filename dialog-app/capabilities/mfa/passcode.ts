/** Six digits that are typed, checked, and typed anew: the same for a verification and for an enrolment. */
import { emailLimits } from '@latchkey/protocol'
import type { CardHandle } from '../../flow/flow.ts'
import type { Handlers } from '../../flow/screen.ts'
import type { EnrolProblem } from './enrol/problem.ts'

export type Passcode = {
  /** `blocked`: no code is taken any more. */
  readonly status: 'ready' | 'checking' | 'wrong' | 'blocked' | 'done'
  /** Of the last one; stays until the next. */
  readonly problem: EnrolProblem | undefined
  /** A new number empties the fields. */
  readonly attempt: number
  /** `none`: nothing is sent. `locked`: one was sent so shortly ago that there is no other yet. */
  readonly resend: 'none' | 'available' | 'sending' | 'locked'
  /** One was sent, ever. */
  readonly isSent: boolean
}

export type PasscodeEvents = {
  readonly edit: readonly []
  readonly submit: readonly [code: string]
  readonly resend: readonly []
}

type PasscodeWork = {
  /** The state is another one. */
  readonly changed: () => void
  /** Settles when the code was taken; rejects with why it was not. */
  readonly check: (code: string) => Promise<void>
  readonly problemOf: (error: unknown) => EnrolProblem
  /** What was wrong lets no other code be tried. */
  readonly isOver: () => boolean
  /** Sends a code to type, where one is sent. */
  readonly send?: (() => Promise<unknown>) | undefined
}

export type PasscodeEntry = {
  readonly state: () => Passcode
  readonly handlers: Handlers<PasscodeEvents>
  /** A code was sent before this began. */
  readonly lockResend: () => void
  readonly send: () => void
  readonly block: (problem: EnrolProblem) => void
}

export function createPasscode(card: Pick<CardHandle, 'after'>, work: PasscodeWork): PasscodeEntry {
  let state: Passcode = {
    status: 'ready',
    problem: undefined,
    attempt: 1,
    resend: work.send ? 'available' : 'none',
    isSent: false,
  }
  let stopClearing = () => {}
  const isBlocked = () => state.status === 'blocked'

  function change(next: Partial<Passcode>) {
    state = { ...state, ...next }
    work.changed()
  }

  async function submit(code: string) {
    if (state.status !== 'ready') return
    change({ status: 'checking', problem: undefined })
    try {
      await work.check(code)
      change({ status: 'done' })
    } catch (error) {
      refuse(work.problemOf(error))
    }
  }

  function refuse(problem: EnrolProblem) {
    if (work.isOver()) return block(problem)
    change({ status: 'wrong', problem })
    stopClearing = card.after(emailLimits.wrongCodeClearsMs, () =>
      change({ status: 'ready', attempt: state.attempt + 1 }),
    )
  }

  /** What was typed goes, since nothing is done with it any more. */
  function block(problem: EnrolProblem) {
    stopClearing()
    change({ status: 'blocked', problem, attempt: state.attempt + 1, resend: 'none' })
  }

  async function send() {
    if (!work.send || state.resend !== 'available') return
    change({ resend: 'sending', problem: undefined })
    try {
      await work.send()
    } catch (error) {
      if (!isBlocked()) change({ resend: 'available', problem: work.problemOf(error) })
      return
    }
    lockResend()
  }

  function lockResend() {
    if (isBlocked()) return
    change({ resend: 'locked', isSent: true })
    card.after(emailLimits.resendLockMs, () => {
      if (state.resend === 'locked') change({ resend: 'available' })
    })
  }

  return {
    state: () => state,
    handlers: {
      edit() {
        stopClearing()
        if (state.status === 'wrong') change({ status: 'ready' })
      },
      submit: (code) => void submit(code),
      resend: () => void send(),
    },
    lockResend,
    send: () => void send(),
    block,
  }
}
