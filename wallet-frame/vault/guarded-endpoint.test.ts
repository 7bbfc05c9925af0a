import { expose } from 'comlink'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createGuardedEndpoint } from './guarded-endpoint.ts'

function exposed() {
  const sent: unknown[] = []
  const asked: unknown[] = []
  let deliver: (event: MessageEvent) => void = () => {}
  expose(
    Object.freeze(Object.assign(Object.create(null), { call: (request: unknown) => asked.push(request) })),
    createGuardedEndpoint({
      postMessage: (message) => sent.push(message),
      addEventListener: (type, listener) => {
        if (type === 'message') deliver = listener
      },
    }),
  )
  return { sent, asked, deliver: (data: unknown) => deliver(new MessageEvent('message', { data })) }
}
const call = (value: unknown) => ({
  id: '1',
  type: 'APPLY',
  path: ['call'],
  argumentList: [{ type: 'RAW', value }],
})

it('lets a call of the exposed function pass', async () => {
  const { sent, asked, deliver } = exposed()
  deliver(call({ operation: 'publicKey' }))
  await new Promise((resolve) => setImmediate(resolve))
  expect(asked).toEqual([{ operation: 'publicKey' }])
  expect(sent).toHaveLength(1)
})

it('accepts IDs of 1 to 64 characters', () => {
  const { asked, deliver } = exposed()
  for (const length of [65, 0, 64]) deliver({ ...call(length), id: '1'.repeat(length) })
  expect(asked).toEqual([64])
})

it.each<[string, unknown]>([
  ['assigns', { ...call(1), type: 'SET', value: { type: 'RAW', value: 1 } }],
  ['reads', { ...call(1), type: 'GET' }],
  ['constructs', { ...call(1), type: 'CONSTRUCT' }],
  ['opens a port', { id: '1', type: 'ENDPOINT' }],
  ['lets go', { id: '1', type: 'RELEASE' }],
  ['walks further', { ...call(1), path: ['call', 'constructor'] }],
  ['walks elsewhere', { ...call(1), path: ['__proto__'] }],
  ['walks nowhere', { ...call(1), path: [] }],
  ['sends a handler', { ...call(1), argumentList: [{ type: 'HANDLER', name: 'proxy', value: 1 }] }],
  [
    'sends two arguments',
    {
      ...call(1),
      argumentList: [
        { type: 'RAW', value: 1 },
        { type: 'RAW', value: 2 },
      ],
    },
  ],
  ['sends none', { ...call(1), argumentList: [] }],
  ['says more', { ...call(1), also: 1 }],
])('drops a message that %s', async (_name, message) => {
  const { sent, asked, deliver } = exposed()
  deliver(message)
  await new Promise((resolve) => setImmediate(resolve))
  expect([asked, sent]).toEqual([[], []])
})

it('delivers to a listener object, which the platform allows too', () => {
  const peer = new EventTarget()
  const heard: unknown[] = []
  createGuardedEndpoint({
    postMessage: () => {},
    addEventListener: (type, listener) =>
      peer.addEventListener(type, (event) => {
        if (event instanceof MessageEvent) listener(event)
      }),
  }).addEventListener('message', { handleEvent: (event) => heard.push(event) })
  peer.dispatchEvent(new MessageEvent('message', { data: call('asked') }))
  expect(heard).toEqual([expect.objectContaining({ type: 'message', data: call('asked') })])
})

it('drops any other message', () => {
  const { sent, asked, deliver } = exposed()
  fc.assert(fc.property(fc.anything(), (message) => deliver(message)))
  expect([asked, sent]).toEqual([[], []])
})
