/** Farcaster's signer API below `/farcaster-api/`, and the approval page on the user's phone. */
import type { ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { donePage, signerPage } from './page.ts'
import { type KeyRequest, type KeyRequestInput, type SignerAct, type Signers, signerActs } from './signers.ts'

const html = 'text/html; charset=utf-8'
const pagePolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const isAct = (value: unknown): value is SignerAct => signerActs.some((act) => act === value)

export const signerRoutes = (signers: Signers, faults: FaultSwitch): readonly Route[] => {
  /** Returns false if a fault has already sent a response. */
  const passesFaults = async (response: ServerResponse) => {
    const fault = await faults.afterStall('farcaster')
    if (fault === 'failing') sendJson(response, { errors: [{ message: 'Internal error' }] }, 500)
    if (fault === 'too-many-requests') sendJson(response, { errors: [{ message: 'Rate limited' }] }, 429)
    if (fault === 'garbage') send(response, { type: html, content: '<h1>Sorry</h1>' })
    return fault === 'none'
  }
  const sendKeyRequest = (
    response: ServerResponse,
    host: string | undefined,
    { deadline, ...request }: KeyRequest,
  ) => {
    const deeplinkUrl = `http://${host}/farcaster/signer?${new URLSearchParams({ token: request.token })}`
    sendJson(response, { result: { signedKeyRequest: { ...request, deeplinkUrl, isSponsored: false } } })
  }
  const refuse = (response: ServerResponse, message: string, status: number) =>
    sendJson(response, { errors: [{ message }] }, status)

  const create: Route = {
    method: 'POST',
    path: /^\/farcaster-api\/v2\/signed-key-requests$/,
    handle: async ({ request, response }) => {
      if (!(await passesFaults(response))) return
      const input = parseInput(await readJson(request))
      const keyRequest = input && (await signers.create(input))
      if (keyRequest === undefined) return refuse(response, 'Invalid signed key request', 400)
      sendKeyRequest(response, request.headers.host, keyRequest)
    },
  }

  const status: Route = {
    method: 'GET',
    path: /^\/farcaster-api\/v2\/signed-key-request$/,
    handle: async ({ request, response, url }) => {
      signers.countPoll()
      if (!(await passesFaults(response))) return
      const keyRequest = signers.find(url.searchParams.get('token') ?? '')
      if (keyRequest === undefined) return refuse(response, 'Signed key request not found', 404)
      sendKeyRequest(response, request.headers.host, keyRequest)
    },
  }

  const show: Route = {
    method: 'GET',
    path: /^\/farcaster\/signer$/,
    handle: ({ response, url }) => {
      const keyRequest = signers.find(url.searchParams.get('token') ?? '')
      const content = keyRequest
        ? signerPage(keyRequest.token, keyRequest.requestFid)
        : donePage('This request is not known')
      send(response, { type: html, content, headers: { 'content-security-policy': pagePolicy } })
    },
  }

  const answer: Route = {
    method: 'POST',
    path: /^\/farcaster\/signer\/answer$/,
    handle: async ({ request, response }) => {
      const form = (await readForm(request)) ?? new URLSearchParams()
      const act = form.get('act') ?? 'approve'
      const person = form.get('person') ?? 'Ada Lovelace'
      const message = await signers.act(form.get('token') ?? '', isAct(act) ? act : 'approve', person)
      send(response, {
        type: html,
        content: donePage(message),
        headers: { 'content-security-policy': pagePolicy },
      })
    },
  }

  /** Answers a key request without the page. */
  const control: Route = {
    method: 'POST',
    path: /^\/api\/farcaster\/signer$/,
    handle: async ({ request, response }) => {
      const { token, act = 'approve', person = 'Ada Lovelace' } = Object(await readJson(request))
      if (!isAct(act))
        return refuse(response, `Send JSON { token, person?, act?: ${signerActs.join(', ')} }`, 400)
      sendJson(response, { says: await signers.act(String(token), act, String(person)) })
    },
  }

  const count: Route = {
    method: 'GET',
    path: /^\/api\/farcaster\/signer$/,
    handle: ({ response }) => sendJson(response, signers.counts()),
  }

  return [create, status, show, answer, control, count]
}

const parseInput = (value: unknown): KeyRequestInput | undefined => {
  const { key, requestFid, signature, deadline } = Object(value)
  const isRight =
    /^0x[0-9a-f]{64}$/.test(key) &&
    /^0x[0-9a-fA-F]{130}$/.test(signature) &&
    Number.isSafeInteger(requestFid) &&
    Number.isSafeInteger(deadline)
  return isRight ? { key, requestFid, signature, deadline } : undefined
}
