/** Which code is meant. */
import { hash } from 'node:crypto'
import { product } from '@latchkey/protocol'

/** What codes open: each purpose has peppers and budgets of its own, and a code for one is nothing to another. */
export type CodePurpose = {
  name: string
  /** The way that a code takes to whoever types it. */
  channel: 'email' | 'sms'
  digits: number
  /** How long a code holds. */
  seconds: number
  /** Who gets what is sent to an identifier, where several identifiers are one mailbox. */
  recipientOf?: (identifier: string) => string
  /** Each that is sent costs money. */
  isPaid?: true
}

/** One code is outstanding for each of these, a new one takes its place. */
export type CodeKey = {
  appId: string
  purpose: CodePurpose
  /** Where it is sent: an address, a number, in the one form that accounts have. */
  identifier: string
  /** `bindingHash` of the browser. */
  binding: string
}

/** Which browser it is. Clients that send no binding are one browser. */
export const bindingHash = (binding: string | undefined) =>
  binding === undefined ? '' : hash('sha256', `${product.key}/binding\n${binding}`, 'base64url')
