import type { LatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from './latchkey.ts'

/** A handle where there can be none: on a server, or with an app id that is none. It is safe to hold. */
export function refuseAll(appId: string, error: LatchkeyError): Latchkey {
  const refuse = () => Promise.reject(error)
  return Object.freeze<Latchkey>({
    appId,
    get ready() {
      const ready = refuse()
      ready.catch(() => {})
      return ready
    },
    login: refuse,
    logout: refuse,
    getUser: refuse,
    getAccessToken: refuse,
    createWallet: refuse,
    signMessage: refuse,
    setConfig: refuse,
    on: () => () => {},
    destroy() {},
  })
}
