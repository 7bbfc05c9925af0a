/** AWAITING_PASSWORDLESS_CODE for an e-mail address: sends, sends again, takes the code. */
import { emailLimits, type LatchkeyError, toLatchkeyError } from '@latchkey/protocol'
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { Api } from '../api/client.ts'
import type { Session } from '../session/session.ts'
import { codeOutcome } from './code-errors.ts'
import type { LoggedIn } from './login.ts'
import { initialCode, type OtpEvent, otp } from './otp.ts'
import type { Stage } from './stage.ts'
import type { CodeState, ScreenView, ShownScreen } from './view-state.ts'

export type EmailCodePorts = {
  readonly api: Api
  readonly session: Session
  readonly stage: Stage
  /** The flow was not closed meanwhile. */
  readonly isLive: () => boolean
  readonly showProblem: (error: unknown) => void
  readonly showScreen: (name: ShownScreen, error: LatchkeyError) => void
  readonly onLogin: (login: LoggedIn) => void
}

const view = (state: CodeState): ScreenView => ({ name: 'AWAITING_PASSWORDLESS_CODE', state })

export function createEmailCode(ports: EmailCodePorts) {
  const { api, session, stage } = ports
  /** One address at a time: what belongs to an earlier one comes too late. */
  let code: CodeState | undefined
  let stopUnlock = () => {}

  /** The new state, or undefined where the event has no meaning now. */
  function step(event: OtpEvent): CodeState | undefined {
    if (!code) return undefined
    const next = otp(code, event)
    if (next === code) return undefined
    code = next
    stage.update(view(next))
    return next
  }

  /** Works for the present entry only; a later one has another address or was begun again. */
  const isPresent = (address: string) =>
    ports.isLive() && code?.address === address && stage.screen()?.name === 'AWAITING_PASSWORDLESS_CODE'

  return {
    /** Rejects with what the server says; shows nothing by itself. */
    async sendFirst(address: string): Promise<ScreenView> {
      const normal = address.trim()
      stopUnlock()
      const beginning = otp(initialCode(normal), { type: 'send' })
      await api.call('sendEmailCode', { email: normal })
      code = otp(beginning, { type: 'sent' })
      return view(code)
    },

    /** Shows what happened to the code while another screen stood in front of it. */
    refresh() {
      if (code) stage.update(view(code))
    },

    async resend() {
      const sending = step({ type: 'send' })
      if (!sending) return
      const { address } = sending
      try {
        await api.call('sendEmailCode', { email: address })
        if (!isPresent(address)) return
        step({ type: 'sent' })
        stopUnlock = stage.after(emailLimits.resendLockMs, () => step({ type: 'unlock-resend' }))
      } catch (error) {
        if (!isPresent(address)) return
        step({ type: 'not-sent' })
        ports.showProblem(error)
      }
    },

    async submit(entered: string) {
      const trimmed = entered.trim()
      if (trimmed.length !== emailLimits.codeLength) return
      const submitting = step({ type: 'submit' })
      if (!submitting) return
      const { address } = submitting
      let answer: AuthAnswer
      try {
        answer = await api.call('loginWithEmailCode', { email: address, code: trimmed })
        if (!isPresent(address)) return
        session.accept(answer)
      } catch (error) {
        if (isPresent(address)) refuse(toLatchkeyError(error, 'unknown_auth_error', 'Something went wrong'))
        return
      }
      step({ type: 'accepted' })
      ports.onLogin({
        user: answer.user,
        isNewUser: answer.isNewUser,
        loginMethod: 'email',
        loginAccount: answer.user.linkedAccounts.find((account) => account.type === 'email') ?? null,
      })
    },
  }

  function refuse(error: LatchkeyError) {
    const outcome = codeOutcome(error)
    if (outcome.type === 'screen') {
      step({ type: 'withdraw' })
      ports.showScreen(outcome.name, error)
      return
    }
    step({ type: 'refused', problem: outcome.text })
    stage.after(emailLimits.wrongCodeClearsMs, () => step({ type: 'clear' }))
  }
}
