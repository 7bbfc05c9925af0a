/** Sends the first code, and opens the screen on which it is entered. */
import { pushOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { CodeLogin, CodeMethod, FirstCode } from '../../contract/code-login.ts'
import type { MethodInProgress } from '../../contract/login.ts'
import { codeScreen } from './screens.ts'
import { createSendCode } from './send-code.ts'

export function startCodeLogin(
  ports: CapabilityPorts,
  progress: MethodInProgress,
  method: CodeMethod,
): CodeLogin {
  const { refusals } = ports
  const sendCode = createSendCode(ports, progress, method)
  let status: FirstCode = 'ready'
  /** The request of the first code. */
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
      isSent = await sendCode(to, {
        signal: AbortSignal.any([progress.card.signal, signal]),
        onNetwork: (offline) => change(offline ? 'offline' : 'sending'),
      })
    } catch (error) {
      change('ready')
      if (progress.isAtEntry() && !signal.aborted) progress.refuse(error)
      return
    }
    change('ready')
    // If another method was chosen meanwhile, its screen stays.
    if (!isSent || !progress.isAtEntry()) return
    const props = { login: progress, method, address: to, sendCode, refusals }
    void pushOnCard(ports, progress.card, codeScreen, props)
  }

  return {
    status: () => status,
    sendTo: (to) => void sendFirst(to),
    cancel: () => sending.abort(),
  }
}
