import { createLatchkey, LatchkeyError } from '@latchkey/loader'
import { stateOf } from '@latchkey/loader/state'
import { shallowRef } from 'vue'
import { appId, dialogUrl } from './settings.ts'

export const latchkey = createLatchkey({ appId, dialogUrl })

const { getSnapshot, subscribe } = stateOf(latchkey)

/** Who is logged in, with their wallets. What another tab changes arrives here too. */
export const state = shallowRef(getSnapshot())
subscribe(() => {
  state.value = getSnapshot()
})

/** Whoever closes the dialog has answered, so that is no failure of the page. */
export async function unlessClosed(call: Promise<unknown>) {
  try {
    await call
  } catch (error) {
    const answers = ['exited_auth_flow', 'user_rejected_request']
    if (!(error instanceof LatchkeyError && answers.includes(error.code))) throw error
  }
}
