/** A server on a real socket with scripted responses, and a transport to it. */

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { LatchkeyError } from '@latchkey/protocol'
import { apiRoutes } from '@latchkey/protocol/api'
import { expect } from 'vitest'
import { readBrowserIds } from '../api/browser-ids.ts'
import { createProofKeyPair, createProofMaker, type ProofKeys } from '../api/proof.ts'
import { createServerTime } from '../api/server-time.ts'
import { createTransport } from '../api/transport.ts'
import { browserRandom } from '../browser/browser-ports.ts'
import type { Language } from '../i18n/languages.ts'
import { makeFakeClock, settle } from './clock.ts'
import { appId, visitorUser } from './fixtures.ts'
import { makeFakeNetwork } from './network.ts'
import { makeFakeStore } from './storage.ts'

export type Received = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  /** The raw request. */
  text: string
}
export type Answer = (response: ServerResponse, call: Received) => void

export const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): Answer =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
/** Loses the response on the network. */
export const cut: Answer = (response) => void response.destroy()
export const never: Answer = () => {}

export const wireUser = {
  id: visitorUser.id,
  created_at: 1,
  linked_accounts: [
    {
      type: 'email',
      address: 'ada@example.org',
      verified_at: 1,
      first_verified_at: 1,
      latest_verified_at: 1,
    },
  ],
  mfa_methods: [],
  has_accepted_terms: false,
}
export const wireAuth = { user: wireUser, token: 't', refresh_token: 'r', is_new_user: true }
export const wireTokens = { user: wireUser, token: 't', refresh_token: 'r', session_update_action: 'set' }

/** A stored key pair, which exists only after it was loaded. */
export function makeFakeProofKeys(): ProofKeys {
  let loaded: CryptoKeyPair | undefined
  return {
    async load() {
      loaded ??= await createProofKeyPair()
      return loaded
    },
    atHand: () => loaded,
  }
}

export async function openApiServer(
  options: { keys?: ProofKeys; cookieCounter?: () => number | undefined; language?: () => Language } = {},
) {
  const clock = makeFakeClock()
  const received: Received[] = []
  const answers: Answer[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      // Uses the test's time, unless the response sets another.
      response.setHeader('date', new Date(clock.nowMs()).toUTCString())
      const { method = '', url = '', headers } = request
      const call = { method, path: url, headers, text }
      received.push(call)
      const answer = answers.shift() ?? json(500, { error: 'no answer left' })
      answer(response, call)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const apiOrigin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const store = makeFakeStore()
  const serverTime = createServerTime({ appId, clock, store })
  const proofs = createProofMaker({ keys: options.keys ?? makeFakeProofKeys(), nowMs: serverTime.nowMs })
  const network = makeFakeNetwork()
  const transport = createTransport({
    appId,
    apiOrigin,
    credentials: 'same-origin',
    fetch,
    clock,
    network,
    serverTime,
    random: browserRandom,
    ids: readBrowserIds({ appId, store, random: browserRandom }),
    language: options.language ?? (() => 'en'),
    proofs,
    cookieCounter: options.cookieCounter ?? (() => undefined),
  })

  /** Waits for real sockets. */
  async function until(isTrue: () => boolean) {
    while (!isTrue()) await settle()
  }

  return {
    clock,
    network,
    received,
    answers,
    apiOrigin,
    proofs,
    transport,
    until,
    sendCode: () => transport.send(apiRoutes.sendEmailCode, { email: 'ada@example.org' }, { token: null }),
    /** Moves time to the next retry, which must be this far away. */
    async retryAfter(delayMs: number) {
      await until(() => clock.waiting().includes(delayMs))
      const before = received.length
      await clock.advance(delayMs)
      await until(() => received.length > before)
    },
    stop() {
      server.closeAllConnections()
      server.close()
    },
  }
}
export type ApiServer = Awaited<ReturnType<typeof openApiServer>>

export const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.unreachable('it did not fail'),
    (error: unknown) => error as LatchkeyError,
  )
