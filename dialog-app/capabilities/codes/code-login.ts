/** The first code, and then its entry. */
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CodeLogin, CodeMethod, FirstCode } from '../../contract/code-login.ts'
import type { MethodInProgress } from '../../contract/login.ts'
import { type CodeEntry, createCodeEntry, createSendCode } from './code-entry.ts'
import { initialCode, otp } from './otp.ts'

export function startCodeLogin(
  ports: CapabilityPorts,
  progress: MethodInProgress,
  method: CodeMethod,
): CodeLogin {
  const send = createSendCode(ports, progress, method)
  let status: FirstCode = 'ready'
  /** One code at a time: what belongs to an earlier one comes too late. */
  let present: CodeEntry | undefined
  /** The first code, as long as it is on its way. */
  let sending = new AbortController()

  function change(next: FirstCode) {
    status = next
    progress.refreshEntry()
  }

  async function sendFirst(to: string) {
    if (status !== 'ready') return
    progress.chosen()
    change('sending')
    sending = new AbortController()
    const { signal } = sending
    let isSent: boolean
    try {
      isSent = await send(to, {
        signal: AbortSignal.any([progress.card.signal, signal]),
        onNetwork: (offline) => change(offline ? 'offline' : 'sending'),
      })
    } catch (error) {
      change('ready')
      if (progress.isAtEntry() && !signal.aborted) progress.refuse(error)
      return
    }
    change('ready')
    // Who turned to another way meanwhile is not taken from it, and may ask anew.
    if (!isSent || !progress.isAtEntry()) return
    present?.supersede()
    const sent = otp(otp(initialCode(to, method.sentBy), { type: 'send' }), { type: 'sent' })
    present = createCodeEntry(ports, progress, method, send, sent)
    present.open()
  }

  return {
    status: () => status,
    sendTo: (to) => void sendFirst(to),
    cancel: () => sending.abort(),
  }
}
