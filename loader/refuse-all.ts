import type { LatchkeyError } from '@latchkey/protocol'
import { createHandle } from './handle.ts'
import type { Latchkey } from './latchkey.ts'

/** A handle where there can be none: on a server, or with an app id that is none. It is safe to hold. */
export const refuseAll = (appId: string, error: LatchkeyError): Latchkey =>
  createHandle(appId, {
    client: { call: () => Promise.reject(error), events: new EventTarget() },
    release() {},
  })
