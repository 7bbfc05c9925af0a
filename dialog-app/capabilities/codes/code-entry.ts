/** AWAITING_PASSWORDLESS_CODE for one code: takes it, and sends another. */
import { emailLimits, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { CallOptions } from '../../api/transport.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CodeMethod } from '../../contract/code-login.ts'
import type { MethodInProgress, Proved } from '../../contract/login.ts'
import { screen } from '../../flow/screen.ts'
import { type CodeState, type OtpEvent, otp } from './otp.ts'
import { outcomeOfRefusedCode } from './refused-code.ts'
import { codeScreen } from './screens.ts'

export type CodeEntry = {
  open: () => void
  /** Another code took its place. */
  supersede: () => void
}

export function createCodeEntry(
  { refusals, clock }: CapabilityPorts,
  progress: MethodInProgress,
  method: CodeMethod,
  send: SendCode,
  sent: CodeState,
): CodeEntry {
  const { card } = progress
  const { address } = sent
  let code = sent
  let isSuperseded = false
  /** What is being sent; the user may take it back while it waits for the network. */
  let resending = new AbortController()
  let submitting = new AbortController()
  let stopClearing = () => {}

  const view = () =>
    screen(codeScreen, code, {
      edit: () => void step({ type: 'edit' }),
      submit: (entered) => void submit(entered),
      resend: () => void resend(),
      cancel() {
        resending.abort()
        submitting.abort()
      },
    })

  /** False where the event has no meaning now. */
  function step(event: OtpEvent): boolean {
    const next = otp(code, event)
    if (next === code || isSuperseded) return false
    code = next
    card.update(view())
    return true
  }

  /** What comes for an entry that was left, or stands behind an error, is dropped. */
  const isPresent = () => !isSuperseded && card.isAt(codeScreen)

  /** Who asks for a call: gone with the card, or taken back by the user. */
  const asker = (sending: AbortController) => ({
    signal: AbortSignal.any([card.signal, sending.signal]),
    onNetwork: (offline: boolean) => void step({ type: 'network', offline }),
  })

  async function resend() {
    if (!step({ type: 'send' })) return
    resending = new AbortController()
    try {
      if (!(await send(address, asker(resending)))) return void step({ type: 'not-sent' })
    } catch (error) {
      // Whoever types the code that they have is not interrupted; they can ask again.
      const isWaitedFor = code.status === 'sending-code' && !resending.signal.aborted
      if (step({ type: 'not-sent' }) && isWaitedFor && isPresent()) progress.refuse(error)
      return
    }
    step({ type: 'sent', unlocksAtMs: clock.nowMs() + emailLimits.resendLockMs })
    card.after(emailLimits.resendLockMs, () => step({ type: 'unlock-resend' }))
  }

  async function submit(entered: string) {
    const trimmed = entered.trim()
    if (trimmed.length !== emailLimits.codeLength || !step({ type: 'submit' })) return
    submitting = new AbortController()
    let proved: Proved
    try {
      proved = await progress.prove(method.proof(address, trimmed), asker(submitting))
    } catch (error) {
      if (submitting.signal.aborted) step({ type: 'withdraw' })
      else if (isPresent()) refuse(toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong'))
      return
    }
    step({ type: 'accepted' })
    progress.complete({
      ...proved,
      loginMethod: method.loginMethod,
      loginAccount: proved.user.linkedAccounts.find(({ type }) => type === method.accountType) ?? null,
    })
  }

  function refuse(error: LatchkeyError) {
    const outcome = outcomeOfRefusedCode(error, refusals.hasOwnScreen)
    if (outcome.type === 'screen') {
      step({ type: 'withdraw' })
      progress.refuse(error)
      return
    }
    step({ type: 'refused', problem: outcome.problem, waitMinutes: outcome.waitMinutes })
    stopClearing()
    stopClearing = card.after(emailLimits.wrongCodeClearsMs, () => step({ type: 'clear' }))
  }

  return {
    open: () => card.go(view()),
    supersede() {
      isSuperseded = true
    },
  }
}

/** False where the user went back from the captcha, which who is logged in already is not asked for. */
export type SendCode = (to: string, asker: CallOptions) => Promise<boolean>

export const createSendCode =
  ({ captchaPass }: CapabilityPorts, { purpose, card }: MethodInProgress, { send }: CodeMethod): SendCode =>
  async (to, asker) => {
    const pass = purpose === 'login' ? await captchaPass(card) : {}
    if (pass) await send(to, pass, asker)
    return pass !== undefined
  }
