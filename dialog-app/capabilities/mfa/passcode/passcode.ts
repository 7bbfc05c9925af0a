/**
 * Six digits that are typed, checked, and typed anew: the same for a verification and for an enrolment.
 * `passcode-state.ts` decides what comes next; this does it.
 */
import { emailLimits } from '@latchkey/protocol'
import type { FlowHandle } from '../../../flow/flow.ts'
import { createMachine, partOf } from '../../../flow/machine.ts'
import type { Handlers } from '../../../flow/screen.ts'
import type { EnrolProblem } from '../problem.ts'
import {
  type Passcode,
  type PasscodeEffect,
  type PasscodeEvent,
  type PasscodeEvents,
  type PasscodeState,
  passcodeStep,
  shownPasscode,
  untyped,
} from './passcode-state.ts'

type PasscodeWork = {
  /** Settles when the code was taken; rejects with why it was not. */
  check: (code: string) => Promise<void>
  problemOf: (error: unknown) => EnrolProblem
  /** What was wrong lets no other code be tried. */
  isOver: () => boolean
  /** Sends a code to type, where one is sent. */
  send?: (() => Promise<unknown>) | undefined
}

export type PasscodeEntry = {
  shown: () => Passcode
  handlers: Handlers<PasscodeEvents>
  send: () => void
  /** A code was sent before this began. */
  lockResend: () => void
  block: (problem: EnrolProblem) => void
}

export function createPasscode<Outcome>(
  handle: Pick<FlowHandle<Outcome>, 'after' | 'signal' | 'end'>,
  { check, problemOf, isOver, send }: PasscodeWork,
  onShown: (passcode: Passcode) => void,
): PasscodeEntry {
  const machine = createMachine<PasscodeState, PasscodeEvent, PasscodeEffect>({
    initial: untyped(send ? 'available' : 'none'),
    step: passcodeStep,
    draw: (state) => onShown(shownPasscode(state)),
    ...partOf(handle),
    effects: {
      async check({ code }) {
        try {
          await check(code)
          return { type: 'accepted' }
        } catch (error) {
          return { type: 'refused', problem: problemOf(error), isOver: isOver() }
        }
      },
      'clear later': ({ refusals }) =>
        void handle.after(emailLimits.wrongCodeClearsMs, () => machine.send({ type: 'clear', refusals })),
      async send() {
        try {
          await send?.()
          return { type: 'sent' }
        } catch (error) {
          return { type: 'not sent', problem: problemOf(error) }
        }
      },
      'unlock resend later': () =>
        void handle.after(emailLimits.resendLockMs, () => machine.send({ type: 'unlock resend' })),
    },
  })

  const resend = () => machine.send({ type: 'send' })

  return {
    shown: () => shownPasscode(machine.state()),
    handlers: {
      edit: () => machine.send({ type: 'edit' }),
      submit: (code) => machine.send({ type: 'submit', code }),
      resend,
    },
    send: resend,
    lockResend: () => machine.send({ type: 'sent' }),
    block: (problem) => machine.send({ type: 'block', problem }),
  }
}
