/** How a test, or whoever tries the demo, holds the phone. */

import type { ServerResponse } from 'node:http'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { html, pagePolicy } from '../pages/layout.ts'
import { pageRoute } from '../pages/routes.ts'
import { phonePage, relayPage } from './page.ts'
import type { Phone } from './phone.ts'
import type { Relay } from './relay.ts'

const longestWaitMs = 60_000
const defaultWaitMs = 10_000

const fieldOf = (value: unknown, name: string): string | undefined => {
  if (typeof value !== 'object' || value === null) return undefined
  const field: unknown = Object.getOwnPropertyDescriptor(value, name)?.value
  return typeof field === 'string' ? field : undefined
}

const answers = ['approve', 'reject'] as const
const answerIn = (text: string | null | undefined) => answers.find((answer) => answer === text)

const isLink = (uri: string) => /^wc:[0-9a-f]{64}@2\?/.test(uri)
const noLink = 'This is no link of WalletConnect v2: it looks like wc:…@2?…'

const wordsOf = (error: unknown) => (error instanceof Error ? error.message : String(error))

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
        const uri = fieldOf(await readJson(request), 'uri')
        if (uri === undefined || !isLink(uri)) return sendJson(response, { error: noLink }, 400)
        try {
          await (await phone()).pair(uri)
        } catch (error) {
          return sendJson(response, { error: wordsOf(error) }, 409)
        }
        done(response)
      },
    },
    {
      method: 'GET',
      path: /^\/api\/phone\/asked\/next$/,
      async handle({ response, url }) {
        const wanted = Number(url.searchParams.get('timeoutMs') ?? defaultWaitMs)
        const gone = new AbortController()
        response.once('close', () => gone.abort())
        const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(Math.min(wanted, longestWaitMs))])
        const asked = await (await phone()).nextAsked(signal)
        if (asked === undefined) return done(response)
        sendJson(response, { asked })
      },
    },
    {
      method: 'POST',
      path: /^\/api\/phone\/asked\/(\d+)$/,
      async handle({ request, response, parts: [id] }) {
        const answer = answerIn(fieldOf(await readJson(request), 'answer'))
        if (answer === undefined)
          return sendJson(response, { error: `Send JSON { answer: ${answers.join(' | ')} }` }, 400)
        if (!(await (await phone()).answer(Number(id), answer)))
          return sendJson(response, { error: 'Nothing waits under this id' }, 404)
        done(response)
      },
    },
    {
      method: 'DELETE',
      path: /^\/api\/phone\/sessions$/,
      async handle({ response }) {
        await (await phone()).leave()
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
        if (!isLink(uri)) return show(response, noLink)
        try {
          await (await phone()).pair(uri)
        } catch (error) {
          return show(response, wordsOf(error))
        }
        // Until who made the link has said what it wants, which is a moment.
        await (await phone()).nextAsked(AbortSignal.timeout(2_000))
        goBack(response)
      },
    },
    {
      method: 'POST',
      path: /^\/phone\/answer$/,
      async handle({ request, response }) {
        const form = await readForm(request)
        const answer = answerIn(form?.get('answer'))
        if (answer !== undefined) await (await phone()).answer(Number(form?.get('id')), answer)
        goBack(response)
      },
    },
    {
      method: 'POST',
      path: /^\/phone\/leave$/,
      async handle({ request, response }) {
        if (await readForm(request)) await (await phone()).leave()
        goBack(response)
      },
    },
  ]
}
