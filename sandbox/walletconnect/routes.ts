/** Controls of the phone, for tests and for its page. */

import type { ServerResponse } from 'node:http'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { html, pagePolicy } from '../pages/layout.ts'
import { pageRoute } from '../pages/routes.ts'
import { phonePage, relayPage } from './page.ts'
import type { Phone } from './phone.ts'
import type { Relay } from './relay.ts'

const longestWaitMs = 60_000
const defaultWaitMs = 10_000

const getField = (value: unknown, name: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
  return typeof field === 'string' ? field : undefined
}

const answers = ['approve', 'reject'] as const
const parseAnswer = (text: string | null | undefined) => answers.find((answer) => answer === text)

const isLink = (uri: string) => /^wc:[0-9a-f]{64}@2\?/.test(uri)
const invalidLink = 'Not a WalletConnect v2 link. Expected wc:…@2?…'

const getErrorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error))

export const walletConnectRoutes = (relay: Relay, phone: () => Promise<Phone>): readonly Route[] => {
  const done = (response: ServerResponse) => response.writeHead(204).end()
  const show = async (response: ServerResponse, problem?: string) =>
    send(response, {
      status: problem === undefined ? 200 : 400,
      type: html,
      content: phonePage((await phone()).state(), problem),
      headers: { 'content-security-policy': pagePolicy },
    })
  const goBack = (response: ServerResponse) => response.writeHead(303, { location: '/phone' }).end()

  return [
    {
      method: 'GET',
      path: /^\/api\/walletconnect$/,
      handle: ({ response }) => sendJson(response, relay.counts()),
    },
    {
      method: 'GET',
      path: /^\/api\/phone$/,
      handle: async ({ response }) => sendJson(response, (await phone()).state()),
    },
    {
      method: 'POST',
      path: /^\/api\/phone\/pairings$/,
      async handle({ request, response }) {
        const uri = getField(await readJson(request), 'uri')
        if (uri === undefined || !isLink(uri)) return sendJson(response, { error: invalidLink }, 400)
        try {
          await (await phone()).pair(uri)
        } catch (error) {
          return sendJson(response, { error: getErrorMessage(error) }, 409)
        }
        done(response)
      },
    },
    {
      method: 'GET',
      path: /^\/api\/phone\/asked\/next$/,
      async handle({ response, url }) {
        const timeoutMs = Number(url.searchParams.get('timeoutMs') ?? defaultWaitMs)
        const gone = new AbortController()
        response.once('close', () => gone.abort())
        const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(Math.min(timeoutMs, longestWaitMs))])
        const request = await (await phone()).waitForRequest(signal)
        if (request === undefined) return done(response)
        sendJson(response, { asked: request })
      },
    },
    {
      method: 'POST',
      path: /^\/api\/phone\/asked\/(\d+)$/,
      async handle({ request, response, parts: [id] }) {
        const answer = parseAnswer(getField(await readJson(request), 'answer'))
        if (answer === undefined)
          return sendJson(response, { error: `Send JSON { answer: ${answers.join(' | ')} }` }, 400)
        if (!(await (await phone()).answer(Number(id), answer)))
          return sendJson(response, { error: 'No request has this id' }, 404)
        done(response)
      },
    },
    {
      method: 'DELETE',
      path: /^\/api\/phone\/sessions$/,
      async handle({ response }) {
        await (await phone()).disconnect()
        done(response)
      },
    },
    {
      method: 'DELETE',
      path: /^\/api\/phone$/,
      async handle({ response }) {
        await (await phone()).reset()
        done(response)
      },
    },
    { method: 'GET', path: /^\/phone$/, handle: ({ response }) => show(response) },
    pageRoute(/^\/relay$/, () => relayPage(relay.counts())),
    {
      method: 'POST',
      path: /^\/phone\/pair$/,
      async handle({ request, response }) {
        const uri = (await readForm(request))?.get('uri')?.trim() ?? ''
        if (!isLink(uri)) return show(response, invalidLink)
        try {
          await (await phone()).pair(uri)
        } catch (error) {
          return show(response, getErrorMessage(error))
        }
        // Wait for the session proposal, which follows shortly after the pairing.
        await (await phone()).waitForRequest(AbortSignal.timeout(2_000))
        goBack(response)
      },
    },
    {
      method: 'POST',
      path: /^\/phone\/answer$/,
      async handle({ request, response }) {
        const form = await readForm(request)
        const answer = parseAnswer(form?.get('answer'))
        if (answer !== undefined) await (await phone()).answer(Number(form?.get('id')), answer)
        goBack(response)
      },
    },
    {
      method: 'POST',
      path: /^\/phone\/leave$/,
      async handle({ request, response }) {
        if (await readForm(request)) await (await phone()).disconnect()
        goBack(response)
      },
    },
  ]
}
