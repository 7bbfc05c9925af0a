/** A login method that proves an address by a code: an e-mail address or a phone number. */
import type { LinkedAccountType, LoginMethod } from '@latchkey/protocol'
import type { CallOptions } from '../../api/transport.ts'
import type { CaptchaPass, Proof } from '../../contract/login.ts'

export type CodeMethod = {
  loginMethod: LoginMethod
  accountType: LinkedAccountType
  sentBy: 'mail' | 'message'
  send: (to: string, pass: CaptchaPass, asker: CallOptions) => Promise<unknown>
  proof: (to: string, code: string) => Proof
}
