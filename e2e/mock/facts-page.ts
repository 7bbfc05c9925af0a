/**
 * The conformance facts of a client, checked in the product's page. The test acts as the user through
 * callbacks.
 */
import { createLatchkey } from '@latchkey/loader'
import { clientFacts, type WalletUser } from '@latchkey/loader/conformance'
import { stateOf } from '@latchkey/loader/state'

const { appId = '', dialogUrl = '' } = document.documentElement.dataset
const open = () => createLatchkey({ appId, dialogUrl, preload: 'never' })

const act = async <T>(what: 'approve' | 'refuse', asked: Promise<T>): Promise<T> => {
  const page: { isSettled?: boolean; actAsUser?: (what: string) => Promise<void> } = Object(globalThis)
  page.isSettled = false
  const acting = page.actAsUser?.(what)
  try {
    return await asked
  } finally {
    page.isSettled = true
    await acting
  }
}

let timesAsked = 0
open().on('drawn', () => {
  timesAsked += 1
})
const user: WalletUser = {
  approve: (asked) => act('approve', asked),
  refuse: (asked) => act('refuse', asked),
  logOut: () => open().logout(),
  timesAsked: async () => timesAsked,
}
const facts = clientFacts({ client: async () => open(), stateOf, user })

Object.assign(globalThis, {
  prove: (name: string) => {
    const fact = facts.find((each) => each.name === name)
    if (!fact) throw new Error(`Unknown fact ${name}`)
    return fact.prove()
  },
})
