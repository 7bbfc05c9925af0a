/** What an app asks for, as a request that the wallet's page can show, have confirmed and sign. */
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
  if (!read.success) throw invalid('This is no request for a signature')
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

/** What the user allowed, of the one wallet that they allowed it for. */
export function requireAllowed({ scopes: allowed, address }: Access, asked: CrossAppRequest): void {
  if (!allowed.includes(scopes[asked.method])) {
    throw refusal('insufficient_scope', `This needs ${scopes[asked.method]}`)
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
  /** What it moves and costs at most; null where that can not be told, and of what moves nothing. */
  cents: number | null
}

export async function signableOf(
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
      const [, given] = asked.params
      const text = typeof given === 'string' ? given : JSON.stringify(given)
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

/** It may be too long, once it is whole. */
function signable(request: SignableRequest): SignableRequest {
  const read = v.safeParse(signableRequestSchema, request)
  if (!read.success) throw invalid('This is too long to sign')
  return read.output
}

/** A message that logs its signer in is for the app that requests it: its holder acts as the user there. */
function assertOfRequester(reading: Reading, origins: readonly string[]): void {
  const domains = reading.kind === 'message' ? reading.signInDomains : []
  if (domains.every((domain) => isSignInFor(domain, origins))) return
  throw invalid('The message logs its signer in at another site than this')
}
