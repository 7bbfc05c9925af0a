/**
 * A text that logs its signer in somewhere is signed for the page that the browser says stands around the dialog, and
 * for no other, whatever the dialog was told. A browser that does not say which page that is leaves it to the dialog.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { isSignInFor, signInDomainsOf } from '@latchkey/protocol/reading'
import { hexToBytes } from '@noble/hashes/utils.js'
import type { VaultInput } from '../vault/contract.ts'

type Request = VaultInput<'sign'>['request']

export function refuseSignInElsewhere(request: Request, origin: string | undefined): void {
  const message = messageOf(request)
  if (message === undefined || origin === undefined) return
  const domain = signInDomainsOf(message).find((each) => !isSignInFor(each, origin))
  if (domain === undefined) return
  throw new LatchkeyError(
    'invalid_request_arguments',
    'The message logs its signer in at another site than this',
  )
}

/** `relayedFor`: the address that was approved; undefined where nobody approved it as a request of a dapp. */
export function refuseUnlessRelayed(request: Request, relayedFor: string | undefined): void {
  if (relayedFor === undefined) {
    throw new LatchkeyError('invalid_request_arguments', 'Nobody approved this as the request of a dapp')
  }
  refuseSignInElsewhere(request, relayedFor)
}

/** Gives undefined if the request signs no message. */
function messageOf(request: Request): string | undefined {
  if (request.method === 'signMessage') return request.params.message
  if (request.method !== 'personal_sign') return undefined
  const [message] = request.params
  const isHex = /^0x(?:[0-9a-f]{2})*$/i.test(message)
  return isHex ? new TextDecoder().decode(hexToBytes(message.slice(2))) : message
}
