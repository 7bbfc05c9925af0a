/** The API of Farcaster for signers, below `/farcaster-api/`, and the page that a person's phone opens. */
import type { ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { donePage, signerPage } from './page.ts'
import { type Asked, type KeyRequest, type SignerAct, type Signers, signerActs } from './signers.ts'

const html = 'text/html; charset=utf-8'
const pagePolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const isAct = (value: unknown): value is SignerAct => signerActs.some((act) => act === value)

export const signerRoutes = (signers: Signers, faults: FaultSwitch): readonly Route[] => {
  /** Gives false if it has answered the request already. */
  const passes = async (response: ServerResponse) => {
    const fault = await faults.passed('farcaster')
    if (fault === 'failing') sendJson(response, { errors: [{ message: 'Internal error' }] }, 500)
    if (fault === 'too-many-requests') sendJson(response, { errors: [{ message: 'Rate limited' }] }, 429)
    if (fault === 'garbage') send(response, { type: html, content: '<h1>Sorry</h1>' })
    return fault === 'none'
  }
  const tell = (response: ServerResponse, host: string | undefined, { deadline, ...request }: KeyRequest) => {
    const deeplinkUrl = `http://${host}/farcaster/signer?${new URLSearchParams({ token: request.token })}`
    sendJson(response, { result: { signedKeyRequest: { ...request, deeplinkUrl, isSponsored: false } } })
  }
  const refuse = (response: ServerResponse, message: string, status: number) =>
    sendJson(response, { errors: [{ message }] }, status)

  const ask: Route = {
    method: 'POST',
    path: /^\/farcaster-api\/v2\/signed-key-requests$/,
    handle: async ({ request, response }) => {
      if (!(await passes(response))) return
      const asked = askedIn(await readJson(request))
      const made = asked && (await signers.ask(asked))
      if (made === undefined) return refuse(response, 'Invalid signed key request', 400)
      tell(response, request.headers.host, made)
    },
  }

  const look: Route = {
    method: 'GET',
    path: /^\/farcaster-api\/v2\/signed-key-request$/,
    handle: async ({ request, response, url }) => {
      signers.countLook()
      if (!(await passes(response))) return
      const found = signers.find(url.searchParams.get('token') ?? '')
      if (found === undefined) return refuse(response, 'Signed key request not found', 404)
      tell(response, request.headers.host, found)
    },
  }

  const show: Route = {
    method: 'GET',
    path: /^\/farcaster\/signer$/,
    handle: ({ response, url }) => {
      const found = signers.find(url.searchParams.get('token') ?? '')
      const content = found
        ? signerPage(found.token, found.requestFid)
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
      const says = await signers.act(form.get('token') ?? '', isAct(act) ? act : 'approve', person)
      send(response, {
        type: html,
        content: donePage(says),
        headers: { 'content-security-policy': pagePolicy },
      })
    },
  }

  /** Does the same without a page. */
  const drive: Route = {
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

  return [ask, look, show, answer, drive, count]
}

const askedIn = (value: unknown): Asked | undefined => {
  const { key, requestFid, signature, deadline } = Object(value)
  const isRight =
    /^0x[0-9a-f]{64}$/.test(key) &&
    /^0x[0-9a-fA-F]{130}$/.test(signature) &&
    Number.isSafeInteger(requestFid) &&
    Number.isSafeInteger(deadline)
  return isRight ? { key, requestFid, signature, deadline } : undefined
}
