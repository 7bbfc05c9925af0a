/** Logs in a user who enters the right word, two seconds later. */
import type { AuthAnswer } from '@latchkey/protocol/api'
import { pushOnCard } from '../../app/screen-stack.ts'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress } from '../../contract/login.ts'
import { showElement } from '../../flow/screen.ts'
import { GuestEntry } from './guest-entry.tsx'
import { knockScreen, waitScreen } from './screens.ts'
import { texts } from './texts.arb'

const onTheWayMs = 2_000

export type Authenticate = (word: string) => Promise<AuthAnswer>

export const guestMethod = (ports: CapabilityPorts, authenticate: Authenticate): MethodCode => ({
  account: {
    type: 'passkey',
    idOf: () => undefined,
    unlink: () => Promise.reject(new Error('A guest has no account')),
  },
  start(login) {
    const choose = () =>
      void logIn(ports, login, authenticate).catch((error: unknown) => {
        if (!login.card.signal.aborted) login.refuse(error)
      })
    return { entry: showElement(<GuestEntry onChoose={choose} />, texts) }
  },
})

async function logIn(ports: CapabilityPorts, login: MethodInProgress, authenticate: Authenticate) {
  const { card } = login
  login.chosen()
  const word = await pushOnCard(ports, card, knockScreen, {})
  void pushOnCard(ports, card, waitScreen, {})
  await new Promise<void>((resolve) => void card.after(onTheWayMs, resolve))
  try {
    const answer = await authenticate(word)
    if (!card.isAt(waitScreen)) return
    const user = ports.session.accept(answer)
    login.complete({ user, isNewUser: answer.isNewUser, loginMethod: 'passkey', loginAccount: null })
  } catch (error) {
    card.back()
    throw error
  }
}
