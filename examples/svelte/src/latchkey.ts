import { createLatchkey, LatchkeyError } from '@latchkey/loader'
import { stateOf } from '@latchkey/loader/state'
import { readable } from 'svelte/store'
import { appId, dialogUrl } from './settings.ts'

export const latchkey = createLatchkey({ appId, dialogUrl })

const { getSnapshot, subscribe } = stateOf(latchkey)

/** The user and their wallets. Includes changes by other tabs. */
export const latchkeyState = readable(getSnapshot(), (set) => subscribe(() => set(getSnapshot())))

/** Ignores that the user closed the dialog, which is not an error. */
export async function unlessClosed(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    const answers = ['exited_auth_flow', 'user_rejected_request']
    if (!(error instanceof LatchkeyError && answers.includes(error.code))) throw error
  }
}
