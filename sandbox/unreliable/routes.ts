import type { ServerResponse } from 'node:http'
import { type Route, readJson, send, sendJson } from '../http.ts'
import { type Manner, manners, type Unreliable } from './unreliable.ts'

const longestWaitMs = 60_000

const parseId = (value: unknown): string | undefined => {
  if (typeof value !== 'object' || value === null || !('id' in value)) return undefined
  return typeof value.id === 'string' ? value.id : undefined
}

const parseManner = (value: unknown): Manner | undefined => {
  if (typeof value !== 'object' || value === null || !('answers' in value)) return undefined
  return manners.find((manner) => manner === value.answers)
}

/** Writes both responses at once, so that the second arrives before the connection is reused. */
const sendTwice = (response: ServerResponse, value: unknown) => {
  const body = JSON.stringify(value)
  const answer = [
    'HTTP/1.1 200 OK',
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    '',
    body,
  ].join('\r\n')
  response.socket?.write(answer + answer)
}

const answerAs: {
  [manner in Exclude<Manner, 'late'>]: (to: ServerResponse, value: unknown) => void
} = {
  right: (response, value) => sendJson(response, value),
  twice: sendTwice,
  garbage: (response) => send(response, { type: 'application/json', content: '{"answer":' }),
  failure: (response) => sendJson(response, { error: 'Something went wrong' }, 500),
  never: () => {},
}

export const unreliableRoutes = (service: Unreliable): readonly Route[] => {
  const state = () => ({ answers: service.manner(), asked: service.asked(), total: service.total() })

  const ask: Route = {
    method: 'POST',
    path: /^\/unreliable\/asks$/,
    handle: async ({ request, response }) => {
      const id = parseId(await readJson(request))
      if (id === undefined) return sendJson(response, { error: 'Send JSON { id }' }, 400)
      const number = service.count(id)
      answerAs[await service.waitForManner()](response, { id, number, answer: 'yes' })
    },
  }

  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/unreliable$/,
    handle: async ({ response, url }) => {
      const moreThan = url.searchParams.get('moreThan')
      if (moreThan !== null) {
        if (!/^\d{1,9}$/.test(moreThan)) return sendJson(response, { error: 'moreThan is a number' }, 400)
        const gone = new AbortController()
        response.once('close', () => gone.abort())
        const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(longestWaitMs)])
        await service.waitForMoreThan(Number(moreThan), signal)
      }
      sendJson(response, state())
    },
  }

  const control: Route = {
    method: 'POST',
    path: /^\/api\/unreliable$/,
    handle: async ({ request, response }) => {
      const manner = parseManner(await readJson(request))
      if (manner === undefined) {
        return sendJson(response, { error: `Send JSON { answers: ${manners.join(' | ')} }` }, 400)
      }
      service.behave(manner)
      sendJson(response, state())
    },
  }

  const reset: Route = {
    method: 'DELETE',
    path: /^\/api\/unreliable$/,
    handle: ({ response }) => {
      service.reset()
      response.writeHead(204).end()
    },
  }

  return [ask, inspect, control, reset]
}
