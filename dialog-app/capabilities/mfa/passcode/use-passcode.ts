import { emailLimits } from '@latchkey/protocol'
import { useEffect, useReducer, useRef } from 'react'
import { useDialog } from '../../../app/context.ts'
import type { EnrolProblem } from '../problem.ts'
import { emptyPasscode, type Passcode, passcodeReducer } from './passcode-reducer.ts'

type PasscodeOptions = {
  /** Rejects if the code is not accepted. */
  check: (code: string) => Promise<void>
  toProblem: (error: unknown) => EnrolProblem
  /** Sends a message with a code, for methods that have one. */
  send?: (() => Promise<unknown>) | undefined
  /** A message was sent before the entry opened. */
  isSent?: boolean
}

/** The props of the field. */
export type PasscodeEntry = {
  passcode: Passcode
  onEdit: () => void
  onSubmit: (code: string) => void
  onResend: () => void
}

/** Runs one passcode entry. `block` ends it with a problem. */
export function usePasscode({ check, toProblem, send, isSent = false }: PasscodeOptions): PasscodeEntry & {
  block: (problem: EnrolProblem) => void
} {
  const { handle } = useDialog()
  const [passcode, dispatch] = useReducer(passcodeReducer, {
    ...emptyPasscode,
    resend: send === undefined ? 'none' : isSent ? 'locked' : 'available',
    isSent,
  })
  const { status, resend } = passcode
  const isChecking = useRef(false)

  useEffect(() => {
    if (status !== 'wrong') return
    return handle.after(emailLimits.wrongCodeClearsMs, () => dispatch({ type: 'clear' }))
  }, [handle, status])
  useEffect(() => {
    if (resend !== 'locked') return
    return handle.after(emailLimits.resendLockMs, () => dispatch({ type: 'unlock resend' }))
  }, [handle, resend])

  async function submit(code: string) {
    // The field may edit and submit in one event, before the next render.
    if (isChecking.current || status === 'blocked' || status === 'done') return
    isChecking.current = true
    dispatch({ type: 'submit' })
    try {
      await check(code)
      dispatch({ type: 'accepted' })
    } catch (error) {
      dispatch({ type: 'refused', problem: toProblem(error) })
    } finally {
      isChecking.current = false
    }
  }

  async function sendCode() {
    if (!send || resend !== 'available') return
    dispatch({ type: 'send' })
    try {
      await send()
      dispatch({ type: 'sent' })
    } catch (error) {
      dispatch({ type: 'not sent', problem: toProblem(error) })
    }
  }

  return {
    passcode,
    onEdit: () => dispatch({ type: 'edit' }),
    onSubmit: (code) => void submit(code),
    onResend: () => void sendCode(),
    block: (problem) => dispatch({ type: 'block', problem }),
  }
}
