/** The first code of a login, and then its entry. */
import type { CapabilityPorts } from '../../core/capability.ts'
import type { CodeLogin, CodeMethod, FirstCode } from '../../core/code-login.ts'
import type { LoginInProgress } from '../../core/login.ts'
import { type CodeEntry, createCodeEntry } from './code-entry.ts'
import { initialCode, otp } from './otp.ts'

export function startCodeLogin(
  ports: CapabilityPorts,
  login: LoginInProgress,
  method: CodeMethod,
): CodeLogin {
  let status: FirstCode = 'ready'
  /** One code at a time: what belongs to an earlier one comes too late. */
  let present: CodeEntry | undefined
  /** The first code, as long as it is on its way. */
  let sending = new AbortController()

  function change(next: FirstCode) {
    status = next
    login.refreshLanding()
  }

  async function sendFirst(to: string) {
    if (status !== 'ready') return
    login.chosen()
    change('sending')
    sending = new AbortController()
    const { signal } = sending
    try {
      await method.send(to, {
        signal: AbortSignal.any([login.card.signal, signal]),
        onNetwork: (offline) => change(offline ? 'offline' : 'sending'),
      })
    } catch (error) {
      if (!login.isAtLanding()) return
      change('ready')
      if (!signal.aborted) login.refuse(error)
      return
    }
    if (!login.isAtLanding()) return
    change('ready')
    present?.supersede()
    const sent = otp(otp(initialCode(to, method.sentBy), { type: 'send' }), { type: 'sent' })
    present = createCodeEntry(ports, login, method, sent)
    present.open()
  }

  return {
    status: () => status,
    sendTo: (to) => void sendFirst(to),
    cancel: () => sending.abort(),
  }
}
