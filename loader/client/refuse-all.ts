import type { LatchkeyError } from '@latchkey/protocol'
import type { Latchkey } from '../types/latchkey.ts'
import { createHandle } from './handle.ts'

/** A handle where there can be none: on a server, or with an app id that is none. It is safe to hold. */
export const refuseAll = (appId: string, error: LatchkeyError): Latchkey =>
  createHandle(appId, {
    client: { call: () => Promise.reject(error), events: new EventTarget() },
    release() {},
  })
