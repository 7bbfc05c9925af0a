import { expect, test } from 'vitest'
import type { EthereumProvider } from '../types/options.ts'
import { receiveEvent } from './events.ts'

const unused = {
  send: async () => expect.unreachable(),
  appId: 'a'.repeat(25),
  provider: {} as EthereumProvider,
  implement: () => expect.unreachable(),
  announce: () => expect.unreachable(),
}

const configure = async () => expect.unreachable()

function received(event: { name: string; data: unknown }) {
  const events = new EventTarget()
  const received: unknown[] = []
  events.addEventListener(event.name, (each) => received.push(Reflect.get(each, 'detail')))
  receiveEvent(event, { ...unused, events }, { configure, config: () => ({}) })
  return received
}

test('an event of the dialog reaches the listeners', () => {
  expect(received({ name: 'chainChanged', data: { chainId: 10 } })).toEqual([{ chainId: 10 }])
})

test.each([
  { name: 'somethingLater', data: {} },
  { name: 'toString', data: {} },
  { name: 'chainChanged', data: { chainId: 'of a later dialog' } },
])('$name of a later dialog, $data, is ignored without an error', (event) => {
  expect(received(event)).toEqual([])
})

test('the logo event is not emitted to listeners', () => {
  expect(received({ name: 'logo', data: {} })).toEqual([])
})
