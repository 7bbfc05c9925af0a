import { LatchkeyError } from '@latchkey/protocol'
import { expect, test } from 'vitest'
import { makeFakeClock, settle } from '../testing/clock.ts'
import { createAnalytics } from './analytics.ts'
import type { SendOptions, Transport } from './transport.ts'

// spec L7.24
test('sends an event once, with its time, and survives the page', async () => {
  const sent: { path: string; body: unknown; sending: SendOptions }[] = []
  const transport: Transport = {
    async send({ path }, body, sending) {
      sent.push({ path, body, sending })
      return { success: true } as never
    },
  }
  createAnalytics({ transport, clock: makeFakeClock(0), token: () => 'abc' })('modal_open', { flow: 'login' })
  await settle()
  expect(sent).toEqual([
    {
      path: '/analytics_events',
      body: {
        eventName: 'modal_open',
        clientId: null,
        payload: { flow: 'login', clientTimestamp: '1970-01-01T00:00:00.000Z' },
      },
      sending: { token: 'abc', keepalive: true, retries: 0 },
    },
  ])
})

// spec L7.24
test('ignores a failure of the server or the storage', async () => {
  const transport: Transport = {
    send: () => Promise.reject(new LatchkeyError('server_unreachable', 'Gone')),
  }
  const brokenToken = () => {
    throw new LatchkeyError('session_storage_unavailable', 'Blocked')
  }
  const clock = makeFakeClock()
  expect(() => createAnalytics({ transport, clock, token: () => null })('modal_open')).not.toThrow()
  expect(() => createAnalytics({ transport, clock, token: brokenToken })('modal_open')).not.toThrow()
  await settle()
})
