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

function heard(event: { name: string; data: unknown }) {
  const events = new EventTarget()
  const told: unknown[] = []
  events.addEventListener(event.name, (each) => told.push(Reflect.get(each, 'detail')))
  receiveEvent(event, { ...unused, events }, { configure, config: () => ({}) })
  return told
}

test('what the dialog tells is told to those who listen', () => {
  expect(heard({ name: 'chainChanged', data: { chainId: 10 } })).toEqual([{ chainId: 10 }])
})

test.each([
  { name: 'somethingLater', data: {} },
  { name: 'toString', data: {} },
  { name: 'chainChanged', data: { chainId: 'of a later dialog' } },
])('$name of a later dialog, $data, is passed over without an error', (event) => {
  expect(heard(event)).toEqual([])
})

test('a dialog that may not load the logo of the page is no news for whoever listens', () => {
  expect(heard({ name: 'logo', data: {} })).toEqual([])
})
