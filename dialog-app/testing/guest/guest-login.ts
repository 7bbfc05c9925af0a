/** Logs in a user who enters the right word, two seconds later. */
import type { AuthAnswer } from '@latchkey/protocol/api'
import type { CapabilityPorts } from '../../contract/capability.ts'
import type { MethodCode, MethodInProgress, StartedMethod } from '../../contract/login.ts'
import { screen } from '../../flow/screen.ts'
import { guestEntry, knockScreen, waitScreen } from './screens.ts'

const onTheWayMs = 2_000

export type Authenticate = (word: string) => Promise<AuthAnswer>

export const guestMethod = (ports: CapabilityPorts, authenticate: Authenticate): MethodCode => ({
  account: {
    type: 'passkey',
    idOf: () => undefined,
    unlink: () => Promise.reject(new Error('A guest has no account')),
  },
  loadEntry: () => Promise.all([guestEntry.component.load(), guestEntry.texts.load()]),
  start: (progress) => startGuestLogin(ports, progress, authenticate),
})

function startGuestLogin(
  { session }: CapabilityPorts,
  progress: MethodInProgress,
  authenticate: Authenticate,
): StartedMethod {
  const { card } = progress

  function choose() {
    progress.chosen()
    card.go(screen(knockScreen, {}, { answer }))
  }

  function answer(word: string) {
    card.go(screen(waitScreen, {}, {}))
    card.after(onTheWayMs, () => void open(word))
  }

  async function open(word: string) {
    try {
      const given = await authenticate(word)
      if (!card.isAt(waitScreen)) return
      const user = session.accept(given)
      progress.complete({ user, isNewUser: given.isNewUser, loginMethod: 'passkey', loginAccount: null })
    } catch (error) {
      card.back()
      progress.refuse(error)
    }
  }

  return { entry: () => progress.entry(guestEntry, {}, { choose }) }
}
