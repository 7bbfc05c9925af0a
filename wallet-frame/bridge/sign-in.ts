/**
 * A message that logs its signer in somewhere is signed for the page around the dialog alone, whatever the dialog says.
 * If the browser does not name that page, the wallet page has to approve the message too.
 */
import { LatchkeyError } from '@latchkey/protocol'
import { isSignInFor, personalSignInDomains, signInDomains } from '@latchkey/protocol/reading'
import type { HostPage } from '../shares/ports.ts'
import type { VaultInput } from '../vault/contract.ts'

type Request = VaultInput<'sign'>['request']

export function refuseSignInElsewhere(request: Request, origins: readonly string[]): void {
  if (domainsIn(request).every((domain) => isSignInFor(domain, origins))) return
  throw new LatchkeyError(
    'invalid_request_arguments',
    'The message logs its signer in at another site than this',
  )
}

/** The server says whether the wallet page approved the request. */
export function refuseUnlessOnPage(
  request: Request,
  host: HostPage | undefined,
  approvedOnPage = false,
): void {
  if (host?.isNamed || approvedOnPage || domainsIn(request).length === 0) return
  throw new LatchkeyError(
    'invalid_request_arguments',
    'The browser does not name the page around the dialog, so the wallet page approves logins',
  )
}

/** `relayedFor`: the address that was approved; undefined where nobody approved it as a request of a dapp. */
export function refuseUnlessRelayed(request: Request, relayedFor: string | undefined): void {
  if (relayedFor === undefined) {
    throw new LatchkeyError('invalid_request_arguments', 'Nobody approved this as the request of a dapp')
  }
  refuseSignInElsewhere(request, [relayedFor])
}

function domainsIn(request: Request): readonly string[] {
  switch (request.method) {
    case 'signMessage':
      return signInDomains(request.params.message)
    case 'personal_sign':
      return personalSignInDomains(request.params[0])
    default:
      return []
  }
}
