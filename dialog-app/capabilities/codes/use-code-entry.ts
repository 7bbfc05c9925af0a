/** Checks the code that the user enters, and sends another one. */
import { emailLimits, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import { useEffect, useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import type { MethodInProgress } from '../../contract/login.ts'
import type { Refusals } from '../../contract/refusals.ts'
import type { CodeMethod } from './code-method.ts'
import { type CodeState, initialCode, type OtpEvent, otp } from './otp.ts'
import { outcomeOfRefusedCode } from './refused-code.ts'
import type { SendCode } from './send-code.ts'

export type CodeEntryOptions = {
  login: MethodInProgress
  method: CodeMethod
  address: string
  sendCode: SendCode
  refusals: Refusals
}

export type CodeEntry = {
  code: CodeState
  edit: () => void
  submit: (digits: string) => void
  resend: () => void
  /** Cancels the request that waits for the network. */
  cancel: () => void
}

export function useCodeEntry({ login, method, address, sendCode, refusals }: CodeEntryOptions): CodeEntry {
  const { handle, services, isInFront } = useDialog()
  const [code, setCode] = useState(() => firstCode(address, method.sentBy))
  // Responses arrive between renders, and their meaning depends on the latest state.
  const latest = useRef(code)
  const request = useRef(new AbortController())
  const stopClearing = useRef(() => {})
  useEffect(() => () => stopClearing.current(), [])

  /** Returns whether the event had a meaning in the present state. */
  function step(event: OtpEvent): boolean {
    const next = otp(latest.current, event)
    if (next === latest.current) return false
    latest.current = next
    setCode(next)
    return true
  }

  const startRequest = () => {
    request.current = new AbortController()
    const { signal } = request.current
    return {
      signal: AbortSignal.any([handle.signal, signal]),
      isCancelled: () => signal.aborted,
      onNetwork: (offline: boolean) => void step({ type: 'network', offline }),
    }
  }

  async function resend() {
    if (!step({ type: 'send' })) return
    const { isCancelled, ...asker } = startRequest()
    try {
      if (!(await sendCode(address, asker))) return void step({ type: 'not-sent' })
    } catch (error) {
      // The error must not interrupt the user while they type the earlier code.
      const isAwaited = latest.current.status === 'sending-code' && !isCancelled()
      if (step({ type: 'not-sent' }) && isAwaited && isInFront()) login.refuse(error)
      return
    }
    const unlocksAtMs = services.clock.nowMs() + emailLimits.resendLockMs
    step({ type: 'sent', unlocksAtMs })
    handle.after(emailLimits.resendLockMs, () => step({ type: 'unlock-resend' }))
  }

  async function submit(digits: string) {
    const trimmed = digits.trim()
    if (trimmed.length !== emailLimits.codeLength || !step({ type: 'submit' })) return
    const { isCancelled, ...asker } = startRequest()
    try {
      const proved = await login.prove(method.proof(address, trimmed), asker)
      step({ type: 'accepted' })
      const { loginMethod, accountType } = method
      const loginAccount = proved.user.linkedAccounts.find(({ type }) => type === accountType) ?? null
      login.complete({ ...proved, loginMethod, loginAccount })
    } catch (error) {
      if (isCancelled()) step({ type: 'withdraw' })
      else if (isInFront()) refuse(toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong'))
    }
  }

  function refuse(error: LatchkeyError) {
    const outcome = outcomeOfRefusedCode(error, refusals.hasOwnScreen)
    if (outcome.type === 'screen') {
      step({ type: 'withdraw' })
      login.refuse(error)
      return
    }
    step({ type: 'refused', problem: outcome.problem, waitMinutes: outcome.waitMinutes })
    stopClearing.current()
    stopClearing.current = handle.after(emailLimits.wrongCodeClearsMs, () => step({ type: 'clear' }))
  }

  return {
    code,
    edit: () => void step({ type: 'edit' }),
    submit: (digits) => void submit(digits),
    resend: () => void resend(),
    cancel: () => request.current.abort(),
  }
}

const firstCode = (address: string, sentBy: CodeState['sentBy']) =>
  otp(otp(initialCode(address, sentBy), { type: 'send' }), { type: 'sent' })
