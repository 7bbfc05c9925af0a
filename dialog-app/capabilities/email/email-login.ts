/** A login by a code that is sent to an e-mail address. */
import { isEmailAddress } from '@latchkey/protocol'
import type { CapabilityPorts } from '../../core/capability.ts'
import type { LoginInProgress, StartedMethod } from '../../core/login.ts'
import { type CodeEntry, createCodeEntry } from './code-entry.ts'
import type { EntryState } from './email-entry.tsx'
import { initialCode, otp } from './otp.ts'
import { emailEntry } from './screens.ts'

export function startEmailLogin(ports: CapabilityPorts, login: LoginInProgress): StartedMethod {
  let entry: EntryState = { status: 'ready', address: '' }
  /** One address at a time: what belongs to an earlier one comes too late. */
  let present: CodeEntry | undefined
  /** The first code, as long as it is on its way. */
  let sending = new AbortController()

  function change(next: EntryState) {
    entry = next
    login.refreshLanding()
  }

  async function sendFirst(given: string) {
    if (entry.status !== 'ready' || !isEmailAddress(given)) return
    const address = given.trim()
    login.chosen()
    change({ status: 'sending', address: given })
    sending = new AbortController()
    const { signal } = sending
    try {
      await ports.api.call(
        'sendEmailCode',
        { email: address },
        {
          signal: AbortSignal.any([login.card.signal, signal]),
          onNetwork: (offline) => change({ status: offline ? 'offline' : 'sending', address: given }),
        },
      )
    } catch (error) {
      if (!login.isAtLanding()) return
      change({ status: 'ready', address: given })
      if (!signal.aborted) login.refuse(error)
      return
    }
    if (!login.isAtLanding()) return
    change({ status: 'ready', address: given })
    present?.supersede()
    present = createCodeEntry(ports, login, sentCode(address))
    present.open()
  }

  return {
    entry: () =>
      login.entry(emailEntry, entry, {
        submit: (address) => void sendFirst(address),
        cancel: () => sending.abort(),
      }),
  }
}

const sentCode = (address: string) => otp(otp(initialCode(address), { type: 'send' }), { type: 'sent' })
