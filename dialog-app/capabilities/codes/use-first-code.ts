/** Sends the first code from an entry, and opens the screen on which the user enters it. */
import { useRef, useState } from 'react'
import { useDialog } from '../../app/context.ts'
import { pushOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodInProgress } from '../../contract/login.ts'
import type { CodeMethod } from './code-method.ts'
import { codeScreen } from './screens.ts'
import { createSendCode } from './send-code.ts'

/** The props of an entry of a code method. */
export type CodeEntryProps = {
  login: MethodInProgress
  method: CodeMethod
  ports: Pick<CapabilityPorts, 'captchaPass' | 'refusals'>
}

export type FirstCode = {
  /** `offline`: the request waits for the network. */
  status: 'ready' | 'sending' | 'offline'
  sendTo: (address: string) => void
  cancel: () => void
}

export function useFirstCode({ login, method, ports }: CodeEntryProps): FirstCode {
  const { services, isInFront } = useDialog()
  const [status, setStatus] = useState<FirstCode['status']>('ready')
  const request = useRef<AbortController>(undefined)

  async function sendTo(address: string) {
    if (request.current || !isInFront()) return
    login.chosen()
    const sendCode = createSendCode(ports, login, method)
    request.current = new AbortController()
    const { signal } = request.current
    setStatus('sending')
    try {
      const isSent = await sendCode(address, {
        signal: AbortSignal.any([login.card.signal, signal]),
        onNetwork: (offline) => setStatus(offline ? 'offline' : 'sending'),
      })
      // If another method was chosen meanwhile, its screen stays.
      if (!isSent || !login.isAtEntry()) return
      const { refusals } = ports
      void pushOnCard(services, login.card, codeScreen, { login, method, address, sendCode, refusals })
    } catch (error) {
      if (login.isAtEntry() && !signal.aborted) login.refuse(error)
    } finally {
      request.current = undefined
      setStatus('ready')
    }
  }

  return {
    status,
    sendTo: (address) => void sendTo(address),
    cancel: () => request.current?.abort(),
  }
}
