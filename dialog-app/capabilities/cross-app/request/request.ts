/**
 * Runs one request in its own window. The provider shows it to the user. The result comes from a window message or from
 * polling the provider, and the first one counts.
 */
import { LatchkeyError, product } from '@latchkey/protocol'
import {
  type CreatedCrossAppRequest,
  type CrossAppConnection,
  type CrossAppResult,
  crossAppLimits,
  crossAppRoutes,
  crossAppToken,
} from '@latchkey/protocol/api'
import * as v from 'valibot'
import { wait } from '../../../browser/waiting.ts'
import type { AskedOfApp } from '../../../contract/connected-wallets.ts'
import { type Attempt, beginAttempt } from '../../../window-login/attempt.ts'
import { providerOf } from '../connections.ts'
import type { CrossAppParts } from '../parts.ts'
import { createProviderClient, ProviderRefused } from '../provider/provider-client.ts'
import { type Access, noToken } from '../provider/tokens.ts'
import { english } from '../texts.arb'

export type RequestOrder = {
  userId: string
  connection: CrossAppConnection
  asked: AskedOfApp
}

/** Opens a window, so it must run within the click. */
export function beginRequest(
  parts: CrossAppParts,
  { userId, connection, asked }: RequestOrder,
  signal: AbortSignal,
): Attempt<string> {
  const { api, clock, settings, tokens } = parts
  const provider = providerOf(connection.providerAppId)
  const client = createProviderClient(parts, connection)
  const opening = { clock, settings, browser: parts.browser(), purpose: 'cross-app', signal } as const
  const windowOptions = { size: crossAppLimits, tooLate: english.problems.timeout }

  return beginAttempt({ ...opening, ...windowOptions }, async ({ begin, hear, options }) => {
    const over = options.signal ?? signal
    const messageResult = Promise.withResolvers<string>()
    // Prevents an unhandled rejection. The race below reports the error.
    messageResult.promise.catch(() => {})
    let createdRequest: CreatedCrossAppRequest | undefined
    /** Applies token messages in order, so the last one wins. */
    let keeping = Promise.resolve()

    hear((data, from) => {
      const message = v.safeParse(messageSchema, data)
      if (!message.success || from !== createdRequest?.window_origin) return
      const { token } = message.output
      if (token) keeping = keeping.then(() => tokens.hear({ userId, provider }, token)).catch(() => {})
      if ('result' in message.output) messageResult.resolve(message.output.result)
      else if ('error' in message.output) messageResult.reject(toFailure(message.output.error))
    })

    /** Runs the call with an access token. If the provider refuses it, renews it and retries once. */
    async function authorized<Answer>(call: (access: Access) => Promise<Answer>): Promise<Answer> {
      const access = await tokens.access(userId, connection, { signal: over })
      try {
        return await call(access)
      } catch (error) {
        if (!isRefusedToken(error)) throw error
        const refused = access.accessToken
        return call(await tokens.access(userId, connection, { signal: over, refused }))
      }
    }

    async function storeRequest(): Promise<CreatedCrossAppRequest> {
      try {
        return await authorized((access) => client.request(asked.request, access, over))
      } catch (error) {
        throw notStarted(error)
      }
    }

    async function answered(handle: string): Promise<string> {
      for (;;) {
        // Polls again after other errors. The window deadline ends the loop.
        const pending: CrossAppResult = { status: 'pending' }
        const result = await authorized((access) => client.result(handle, access, over)).catch((error) => {
          if (isTokenGone(error)) throw notStarted(error)
          return pending
        })
        if (result.status === 'completed') return result.result
        if (result.status === 'failed') throw toFailure(result.error)
        await wait(clock, crossAppLimits.resultPauseMs, over)
      }
    }

    const { handle, transact_url } = await storeRequest().then((done) => {
      createdRequest = done
      return done
    })
    const transactUrl = `${transact_url}#${handle}`
    await begin((relay) =>
      api.call(crossAppRoutes.openCrossAppWindow, { relay, provider, transactUrl }, options),
    ).catch((error: unknown) => {
      throw notStarted(error)
    })
    const answer = await Promise.race([messageResult.promise, answered(handle)])
    await keeping
    return checked(answer, asked)
  })
}

const token = v.optional(crossAppToken)
const MAX_RESULT_LENGTH = 1_024
const shortText = v.pipe(v.string(), v.maxLength(MAX_RESULT_LENGTH))
const { response, error } = product.crossApp
const messageSchema = v.variant('type', [
  v.object({ type: v.literal(response), result: shortText, token }),
  v.object({ type: v.literal(error), error: shortText, token }),
])

const rejected = () => new LatchkeyError('user_rejected_request', english.problems.rejected)

/** Maps the provider's error, which is a code of the contract or the text of its page. */
function toFailure(said: string): LatchkeyError {
  if (said === 'rejected' || said === english.problems.rejected) return rejected()
  if (said === 'timeout' || said === english.problems.timeout) {
    return new LatchkeyError('client_request_timeout', english.problems.timeout)
  }
  return new LatchkeyError('unable_to_sign', english.problems.failed, { details: { said } })
}

export { rejected }

const isRefusedToken = (error: unknown) => error instanceof ProviderRefused && error.error === 'invalid_token'
/** Returns whether the account must be connected again. */
const isTokenGone = (error: unknown) =>
  isRefusedToken(error) ||
  (error instanceof ProviderRefused && error.error === 'wallet_not_connected') ||
  (error instanceof LatchkeyError && error.code === 'missing_or_invalid_token')

function notStarted(error: unknown): LatchkeyError {
  if (isTokenGone(error)) return noToken(error)
  const code = error instanceof ProviderRefused ? error.error : undefined
  return new LatchkeyError('unable_to_sign', english.problems.notStarted, {
    cause: error,
    details: { said: code ?? (error instanceof LatchkeyError ? error.code : undefined) },
  })
}

const signature = /^0x[0-9a-fA-F]{130}$/
const transactionHash = /^0x[0-9a-fA-F]{64}$/

/** Verifies that the result is a transaction hash, or a signature by the requested wallet. */
async function checked(answer: string, { address, request, digest }: AskedOfApp): Promise<string> {
  const isHash = request.method === 'eth_sendTransaction'
  if (!(isHash ? transactionHash : signature).test(answer)) throw noSignature()
  if (isHash) return answer
  const { signerOf } = await import('../lazy/signer.ts')
  const signer = await signerOf(request, digest, answer).catch(() => undefined)
  if (signer?.toLowerCase() !== address.toLowerCase()) throw noSignature()
  return answer
}

const noSignature = () =>
  new LatchkeyError('unable_to_sign', english.problems.failed, {
    details: { said: 'not a signature of the wallet' },
  })
