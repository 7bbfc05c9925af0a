/**
 * The relay between the requesting page and the user's phone, over its HTTP API.
 * https://docs.farcaster.xyz/auth-kit/client/introduction
 */

import { farcasterRoutes } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'
import { registryKey } from '../../kernel/registry.ts'
import { answered, askService, refusedWith, type ServiceFailure } from './service.ts'

const relayUrl = v.pipe(
  v.string(),
  v.regex(/^https?:\/\/\S+[^/\s]$/, 'must be an http address without a slash at its end'),
)

export const farcasterEnvironment = environmentPart(
  {
    FARCASTER_RELAY_URL: v.optional(relayUrl, 'https://relay.farcaster.xyz'),
  },
  {
    FARCASTER_RELAY_URL:
      'The relay between a page and a phone with Farcaster. Login also needs chain 10 in `CHAIN_RPC_URLS`.',
  },
)

export type OpenedChannel = { type: 'opened'; channelToken: string; connectUri: string } | ServiceFailure

/** `gone`: the channel is unknown or has expired. An approval is returned once. */
export type Polled =
  | { type: 'pending' }
  | { type: 'gone' }
  | { type: 'approved'; approval: Approval }
  | ServiceFailure

/** Resolves to a result in any case. Timeouts and network errors are `failed`. */
export type Relay = {
  open: (page: { origin: string; nonce: string }, signal: AbortSignal) => Promise<OpenedChannel>
  poll: (channelToken: string, signal: AbortSignal) => Promise<Polled>
}

export const relay = registryKey<Relay>('the Farcaster relay')

const [pending, completed] = farcasterRoutes.farcasterStatus.output.options
const { state: _state, nonce: _nonce, ...approvalFields } = completed.entries
/** The signed message, and the user's profile. */
export const approvalSchema = v.object(approvalFields)
export type Approval = v.InferOutput<typeof approvalSchema>

const { connectUri, channelToken } = farcasterRoutes.beginFarcaster.output.entries
const openedSchema = v.object({ channelToken, url: connectUri })
const polledSchema = v.variant('state', [
  v.object({ state: pending.entries.state }),
  v.object({ state: completed.entries.state, ...approvalFields }),
])

export function createRelay(baseUrl: string): Relay {
  const ask = (path: string, request: RequestInit) =>
    askService(`${baseUrl}/v1/${path}`, { ...request, party: 'farcaster relay' })

  return {
    async open({ origin, nonce }, signal) {
      const page = {
        siweUri: origin,
        domain: new URL(origin).host,
        nonce,
        // Only the custody address is in the id registry.
        acceptAuthAddress: false,
      }
      return answered(async () => {
        const { status, body } = await ask('channel', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(page),
          signal,
        })
        if (status !== 201) return refusedWith(status)
        const { channelToken, url } = v.parse(openedSchema, body)
        return { type: 'opened', channelToken, connectUri: url }
      })
    },

    poll: (channelToken, signal) =>
      answered(async () => {
        const { status, body } = await ask('channel/status', {
          headers: { authorization: `Bearer ${channelToken}` },
          signal,
        })
        if (status === 401) return { type: 'gone' }
        if (status !== 200 && status !== 202) return refusedWith(status)
        const channelStatus = v.parse(polledSchema, body)
        if (channelStatus.state === 'pending') return { type: 'pending' }
        const { state, ...approval } = channelStatus
        return { type: 'approved', approval }
      }),
  }
}
