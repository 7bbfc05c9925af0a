/**
 * Client of the Farcaster API, which sends a signer request to the user's phone and returns its state.
 * https://docs.farcaster.xyz/reference/farcaster/signer-requests
 */
import { appLink } from '@latchkey/protocol/api'
import { signerPublicKey } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import { registryKey } from '../../kernel/registry.ts'
import { answered, askService, refusedWith, type ServiceFailure } from '../../login/farcaster/farcaster.ts'
import type { AppAccount } from './environment.ts'

export type Requested = { type: 'requested'; token: string; approvalUrl: string } | ServiceFailure
/** The state of a signer request. */
export type RequestState =
  | { type: 'waiting' }
  | { type: 'completed'; key: string; fid: number }
  | ServiceFailure

/** The Farcaster API as a port. A timeout or an unreachable server is returned as `failed`. */
export type FarcasterApi = {
  request: (key: string, deadlineSeconds: number, app: AppAccount, signal: AbortSignal) => Promise<Requested>
  look: (token: string, signal: AbortSignal) => Promise<RequestState>
}

export const farcasterApi = registryKey<FarcasterApi>('the API of Farcaster')

const token = v.pipe(v.string(), v.nonEmpty(), v.maxLength(512))
const requestedSchema = v.object({
  result: v.object({ signedKeyRequest: v.object({ token, deeplinkUrl: appLink }) }),
})
const lookedSchema = v.object({
  result: v.object({
    signedKeyRequest: v.object({
      key: v.pipe(v.string(), v.toLowerCase(), signerPublicKey),
      state: v.string(),
      userFid: v.nullish(v.pipe(v.number(), v.safeInteger())),
    }),
  }),
})

export function createFarcasterApi(baseUrl: string): FarcasterApi {
  const ask = (path: string, request: RequestInit) =>
    askService(`${baseUrl}/v2/${path}`, { ...request, party: 'farcaster api' })

  return {
    request: (key, deadline, app, signal) =>
      answered(async () => {
        // Loaded on demand: the module is large and rarely used.
        const { signKeyRequest } = await import('./key-request.ts')
        const { status, body } = await ask('signed-key-requests', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({
            key,
            requestFid: app.fid,
            signature: await signKeyRequest(key, deadline, app),
            deadline,
          }),
          signal,
        })
        if (status !== 200 && status !== 201) return refusedWith(status)
        const { token, deeplinkUrl } = v.parse(requestedSchema, body).result.signedKeyRequest
        return { type: 'requested', token, approvalUrl: deeplinkUrl }
      }),

    look: (token, signal) =>
      answered(async () => {
        const { status, body } = await ask(`signed-key-request?${new URLSearchParams({ token })}`, { signal })
        if (status !== 200) return refusedWith(status)
        const { key, state, userFid } = v.parse(lookedSchema, body).result.signedKeyRequest
        if (state !== 'completed' || userFid == null) return { type: 'waiting' }
        return { type: 'completed', key, fid: userFid }
      }),
  }
}
