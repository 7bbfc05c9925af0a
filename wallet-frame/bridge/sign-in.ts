/**
 * Restricts sign-in messages to the page around the dialog, regardless of the dialog's request. If the
 * browser does not name that page, the wallet page must approve the message too.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { findPersonalSignInDomains, findSignInDomains, isSignInFor } from '@latchkey/protocol/reading'
import type { HostPage } from '../shares/ports.ts'
import type { VaultInput } from '../vault/contract.ts'

type Request = VaultInput<'sign'>['request']

export function refuseSignInElsewhere(request: Request, origins: readonly string[]): void {
  if (getSignInDomains(request).every((domain) => isSignInFor(domain, origins))) return
  throw new LatchkeyError(
    'invalid_request_arguments',
    'The message logs its signer in at another site than this',
  )
}

/** Throws if the host page is unknown and the server does not report an approval on the wallet page. */
export function refuseUnlessOnPage(
  request: Request,
  host: HostPage | undefined,
  approvedOnPage = false,
): void {
  if (host?.isNamed || approvedOnPage || getSignInDomains(request).length === 0) return
  throw new LatchkeyError(
    'invalid_request_arguments',
    'The browser does not name the page around the dialog, so the wallet page approves logins',
  )
}

/**
 * Throws unless the user approved the request for a relayed dapp. `relayedFor` is the approved dapp's
 * address.
 */
export function refuseUnlessRelayed(request: Request, relayedFor: string | undefined): void {
  if (relayedFor === undefined) {
    throw new LatchkeyError(
      'invalid_request_arguments',
      'The request was not approved as the request of a dapp',
    )
  }
  refuseSignInElsewhere(request, [relayedFor])
}

function getSignInDomains(request: Request): readonly string[] {
  switch (request.method) {
    case 'signMessage':
      return findSignInDomains(request.params.message)
    case 'personal_sign':
      return findPersonalSignInDomains(request.params[0])
    default:
      return []
  }
}
