/** A login by a code that is sent somewhere: what a method of this kind brings, and what it gets. */
import type { LinkedAccountType, LoginMethod } from '@latchkey/protocol'
import type { CallOptions } from '../api/transport.ts'
import type { CaptchaPass, MethodInProgress, Proof } from './login.ts'

/** `to` is where a code goes: an address, a number. */
export type CodeMethod = {
  loginMethod: LoginMethod
  accountType: LinkedAccountType
  sentBy: 'mail' | 'message'
  send: (to: string, pass: CaptchaPass, asker: CallOptions) => Promise<unknown>
  proof: (to: string, code: string) => Proof
}

/** The first code: `sending` while it is asked for, `offline` while that waits for the network. */
export type FirstCode = 'ready' | 'sending' | 'offline'

export type CodeLogin = {
  status: () => FirstCode
  /** Asks for the first code, and then shows where it is entered. The entry is refreshed at each change. */
  sendTo: (to: string) => void
  cancel: () => void
}

export type CodeLogins = {
  /** Loads its code; one for each method of each login or link. */
  start: (progress: MethodInProgress, method: CodeMethod) => Promise<CodeLogin>
}
