/** Identifies codes. */
import { hash } from 'node:crypto'
import { product } from '@latchkey/protocol'

/** The purpose of codes. Each purpose has its own peppers and quotas, and its codes are valid for it only. */
export type CodePurpose = {
  name: string
  /** The channel that delivers the code. */
  channel: 'email' | 'sms'
  digits: number
  /** The lifetime of a code. */
  seconds: number
  /** Returns the recipient, if several identifiers share a mailbox. */
  getRecipient?: (identifier: string) => string
  /** Set if each message costs money. */
  isPaid?: true
}

/** Identifies one outstanding code. A new code replaces it. */
export type CodeKey = {
  appId: string
  purpose: CodePurpose
  /** The normalized recipient: an e-mail address or phone number. */
  identifier: string
  /** `hashBinding` of the browser. */
  binding: string
}

/** Hashes the login binding of a browser. All clients without a binding share the empty hash. */
export const hashBinding = (binding: string | undefined) =>
  binding === undefined ? '' : hash('sha256', `${product.key}/binding\n${binding}`, 'base64url')
