/**
 * The HTTP API of the Farcaster relay below `/farcaster/`, and a phone that answers its requests.
 * https://docs.farcaster.xyz/auth-kit/client/introduction
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import type { Approval, ChannelRequest, Channels } from './channels.ts'
import { donePage, signInPage } from './page.ts'
import { type Phone, type WrongWay, wrongWays } from './phone.ts'

const html = 'text/html; charset=utf-8'
const pagePolicy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
/** The key of the phone's app. Only that app may complete a channel. */
const authKey = 'key-of-the-sandbox-phone'

const getBearerToken = ({ headers }: IncomingMessage) =>
  /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1]
const unauthorized = (response: ServerResponse) => sendJson(response, { error: 'Unauthorized' }, 401)
const isWrongWay = (value: unknown): value is WrongWay => wrongWays.some((way) => way === value)

/** Creates the routes. Signing needs a chain with the ID registry, so `phone` is undefined without one. */
export const farcasterRoutes = (
  channels: Channels,
  phone: Phone | undefined,
  faults: FaultSwitch,
): readonly Route[] => {
  /** Returns false if a fault has already sent a response. */
  const passesFaults = async (response: ServerResponse) => {
    const fault = await faults.afterStall('farcaster')
    if (fault === 'failing') sendJson(response, { error: 'Redis connection lost' }, 500)
    if (fault === 'too-many-requests') sendJson(response, { error: 'Rate limit exceeded' }, 429)
    if (fault === 'garbage') send(response, { type: html, content: '<h1>Sorry</h1>' })
    return fault === 'none'
  }

  const open: Route = {
    method: 'POST',
    path: /^\/farcaster\/v1\/channel$/,
    handle: async ({ request, response }) => {
      if (!(await passesFaults(response))) return
      const page = parseChannelRequest(await readJson(request))
      if (page === undefined) return sendJson(response, { error: 'Validation error' }, 400)
      const channelToken = channels.open(page)
      const url = `http://${request.headers.host}/farcaster/siwf?${new URLSearchParams({ channelToken })}`
      sendJson(response, { channelToken, url, connectUri: url, nonce: page.nonce }, 201)
    },
  }

  const status: Route = {
    method: 'GET',
    path: /^\/farcaster\/v1\/channel\/status$/,
    handle: async ({ request, response }) => {
      channels.countPoll()
      if (!(await passesFaults(response))) return
      const token = getBearerToken(request) ?? ''
      const channel = channels.findChannel(token)
      if (channel === undefined) return unauthorized(response)
      const { page, approval } = channel
      const common = { nonce: page.nonce, acceptAuthAddress: page.acceptAuthAddress, signatureParams: page }
      if (approval === undefined) return sendJson(response, { state: 'pending', ...common }, 202)
      channels.close(token)
      sendJson(response, { state: 'completed', ...common, authMethod: 'custody', ...approval })
    },
  }

  const authenticate: Route = {
    method: 'POST',
    path: /^\/farcaster\/v1\/channel\/authenticate$/,
    handle: async ({ request, response }) => {
      const approval = parseApproval(await readJson(request))
      if (request.headers['x-farcaster-auth-relay-key'] !== authKey) return unauthorized(response)
      if (approval === undefined) return sendJson(response, { error: 'Validation error' }, 400)
      if (!channels.complete(getBearerToken(request) ?? '', approval)) return unauthorized(response)
      sendJson(response, { state: 'completed', ...approval }, 201)
    },
  }

  const show: Route = {
    method: 'GET',
    path: /^\/farcaster\/siwf$/,
    handle: ({ response, url }) => {
      const token = url.searchParams.get('channelToken') ?? ''
      const channel = channels.findChannel(token)
      const content = channel ? signInPage(token, channel.page) : donePage('This request is not known')
      send(response, { type: html, content, headers: { 'content-security-policy': pagePolicy } })
    },
  }

  type PhoneAction = {
    token: string
    name: string
    nowMs: number
    wrong: unknown
  }

  /** Returns the signed approval, or the text for the user if the phone does not sign. */
  const act = async ({ token, name, nowMs, wrong }: PhoneAction): Promise<Approval | string> => {
    const channel = channels.findChannel(token)
    if (channel === undefined) return 'This request is not known'
    if (wrong === 'denied') return 'Denied'
    if (wrong === 'forgotten') {
      channels.close(token)
      return 'Forgotten'
    }
    if (phone === undefined) return 'The sandbox runs without a chain, so nobody is registered'
    const way = isWrongWay(wrong) ? wrong : undefined
    const approval = await phone.approve(channel.page, { name, nowMs, wrong: way })
    channels.complete(token, approval)
    return approval
  }

  const answer: Route = {
    method: 'POST',
    path: /^\/farcaster\/answer$/,
    handle: async ({ request, response }) => {
      const form = (await readForm(request)) ?? new URLSearchParams()
      const done = await act({
        token: form.get('channelToken') ?? '',
        name: form.get('person') ?? 'Ada Lovelace',
        nowMs: Date.now(),
        wrong: form.get('wrong'),
      })
      const content = donePage(typeof done === 'string' ? done : 'Signed in')
      send(response, { type: html, content, headers: { 'content-security-policy': pagePolicy } })
    },
  }

  /** Answers a request without the page, at a time of the caller's choice. */
  const control: Route = {
    method: 'POST',
    path: /^\/api\/farcaster\/phone$/,
    handle: async ({ request, response }) => {
      const { channelToken, person, nowMs = Date.now(), wrong } = Object(await readJson(request))
      const name = String(person ?? 'Ada Lovelace')
      const done = await act({ token: String(channelToken), name, nowMs: Number(nowMs), wrong })
      sendJson(response, typeof done === 'string' ? { says: done } : done)
    },
  }

  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/farcaster$/,
    handle: ({ response }) => sendJson(response, channels.counts()),
  }

  return [open, status, authenticate, show, answer, control, inspect]
}

/** https://github.com/farcasterxyz/auth-monorepo/blob/main/apps/relay/src/schemas.ts */
const parseChannelRequest = (value: unknown): ChannelRequest | undefined => {
  const { siweUri, domain, nonce, acceptAuthAddress = true, ...more } = Object(value)
  const optionalFields = ['notBefore', 'expirationTime', 'requestId', 'redirectUrl']
  const isWrong =
    !URL.canParse(siweUri) ||
    !/^[a-zA-Z0-9.-]+(:[0-9]+)?$/.test(domain ?? '') ||
    (nonce !== undefined && typeof nonce !== 'string') ||
    typeof acceptAuthAddress !== 'boolean' ||
    Object.keys(more).some((name) => !optionalFields.includes(name))
  return isWrong ? undefined : { siweUri, domain, nonce: nonce ?? 'madebytherelay', acceptAuthAddress }
}

const parseApproval = (value: unknown): Approval | undefined => {
  const { message, signature, fid } = Object(value)
  const isRight =
    typeof message === 'string' && /^0x[a-fA-F0-9]{130}$/.test(signature) && Number.isInteger(fid)
  return isRight ? Object(value) : undefined
}
