/** Parses a cross-app request and converts it to a signable request for the wallet page. */
import { isSameAddress } from '@latchkey/protocol'
import { type CrossAppRequest, crossAppRequestSchema } from '@latchkey/protocol/api'
import { isSignInFor } from '@latchkey/protocol/reading'
import { type SignableRequest, signableRequestSchema } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import type { App } from '../../../identity/apps/apps.ts'
import type { ServerContext } from '../../../kernel/context.ts'
import { getCentsToSend, loadRequestReader, type Reading } from '../../../wallet/confirm/confirm.ts'
import type { Access } from '../access.ts'
import { refusal } from './refusals.ts'
import type { RequestRow } from './tables.ts'

const invalid = (description: string) => refusal('invalid_request', description)

export function readAsked(text: string): CrossAppRequest {
  const read = v.safeParse(crossAppRequestSchema, jsonIn(text))
  if (!read.success) throw invalid('The body is not a valid signature request')
  return read.output
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalid('The body is not JSON')
  }
}

const scopes = {
  personal_sign: 'wallet.sign',
  eth_signTypedData_v4: 'wallet.sign',
  eth_sendTransaction: 'wallet.send',
} as const satisfies Record<CrossAppRequest['method'], Access['scopes'][number]>

/** Throws unless the access covers the method and the wallet. */
export function requireAllowed({ scopes: allowed, address }: Access, asked: CrossAppRequest): void {
  if (!allowed.includes(scopes[asked.method])) {
    throw refusal('insufficient_scope', `This requires the scope ${scopes[asked.method]}`)
  }
  if (!isSameAddress(addressIn(asked) ?? address, address)) {
    throw refusal('wallet_not_connected', 'This wallet is not connected')
  }
}

function addressIn(asked: CrossAppRequest): string | undefined {
  switch (asked.method) {
    case 'personal_sign':
      return asked.params[1]
    case 'eth_signTypedData_v4':
      return asked.params[0]
    case 'eth_sendTransaction': {
      const [{ from }] = asked.params
      return typeof from === 'string' ? from : undefined
    }
    default:
      return asked satisfies never
  }
}

export type Signable = {
  request: SignableRequest
  kind: RequestRow['kind']
  /** The maximum cost in cents. Null for an unknown cost and for a request that moves nothing. */
  cents: number | null
}

export async function toSignable(
  context: ServerContext,
  app: App,
  { address, requester }: Access,
  asked: CrossAppRequest,
  signal: AbortSignal,
): Promise<Signable> {
  const { createMessageRequest, readRequest, createTypedDataRequest } = await loadRequestReader()
  switch (asked.method) {
    case 'personal_sign': {
      const request = createMessageRequest(address, asked.params[0])
      assertOfRequester(readRequest(request, address), requester.windowOrigins)
      return { request: signable(request), kind: 'message', cents: null }
    }
    case 'eth_signTypedData_v4': {
      const [, typedData] = asked.params
      const text = typeof typedData === 'string' ? typedData : JSON.stringify(typedData)
      const request = createTypedDataRequest(address, text)
      readRequest(request, address)
      return { request: signable(request), kind: 'typed_data', cents: null }
    }
    case 'eth_sendTransaction': {
      const { wholeTransaction } = await import('./transaction.ts')
      const bytes = await wholeTransaction(app, address, asked.params[0], signal)
      const request = signable({ method: 'eth_signTransaction', params: [bytes, address] })
      return { request, kind: 'transaction', cents: await getCentsToSend(context, app, request, address) }
    }
    default:
      return asked satisfies never
  }
}

/** Validates the completed request, which may exceed the size limit. */
function signable(request: SignableRequest): SignableRequest {
  const read = v.safeParse(signableRequestSchema, request)
  if (!read.success) throw invalid('The request is too long to sign')
  return read.output
}

/** Rejects a sign-in message for another site, because its holder could act as the user there. */
function assertOfRequester(reading: Reading, origins: readonly string[]): void {
  const domains = reading.kind === 'message' ? reading.signInDomains : []
  if (domains.every((domain) => isSignInFor(domain, origins))) return
  throw invalid('The message signs in at another site than the requester’s')
}
