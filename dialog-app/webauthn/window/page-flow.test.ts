import { LatchkeyError } from '@latchkey/protocol'
import type { Assertion, Attestation, PasskeyAnswer, PasskeyCeremony } from '@latchkey/protocol/api'
import { beforeAll, expect, test } from 'vitest'
import { loadPart } from '../../flow/screen.ts'
import { createStage } from '../../flow/stage.ts'
import type { View } from '../../flow/view.ts'
import { noHost } from '../../host/serve.ts'
import { makeFakeClock, settle } from '../../testing/clock.ts'
import { type Answers, makeFakeTransport, refused } from '../../testing/fixture.ts'
import { pressIn } from '../../testing/read-screen.ts'
import { makeDevice } from '../testing.ts'
import { passkeyPage } from './page-flow.ts'
import { passkeyPageScreen } from './screens.ts'

beforeAll(() => loadPart(passkeyPageScreen, 'en'))

const handle = 'h'.repeat(48)
const asking: PasskeyCeremony = { type: 'get', options: { challenge: 'bG9naW4', rpId: 'dialog.localhost' } }
const making: PasskeyCeremony = {
  type: 'create',
  options: {
    rp: { name: 'Demo', id: 'dialog.localhost' },
    user: { id: 'dXNlcg', name: 'Ada', displayName: 'Ada' },
    challenge: 'bGluaw',
    pubKeyCredParams: [{ alg: -7, type: 'public-key' }],
  },
}
const assertion: Assertion = {
  id: 'Zmlyc3Q',
  rawId: 'Zmlyc3Q',
  response: { clientDataJson: 'Y2xpZW50', authenticatorData: 'ZGF0YQ', signature: 'c2ln' },
  clientExtensionResults: {},
  type: 'public-key',
}
const attestation: Attestation = {
  id: 'bmV3',
  rawId: 'bmV3',
  response: { clientDataJson: 'Y2xpZW50', attestationObject: 'b2JqZWN0' },
  clientExtensionResults: {},
  type: 'public-key',
}
const ready = (asks: 'get' | 'create', wasRefused = false) => ({
  status: 'ready',
  asks,
  appName: 'Fieldnotes',
  origin: 'https://app.example',
  wasRefused,
})

async function open(ceremony: PasskeyCeremony, change: Answers = {}) {
  const clock = makeFakeClock()
  const views: View[] = []
  const told: { handle: string; answer: PasskeyAnswer }[] = []
  const device = makeDevice({ assertion, attestation })
  const transport = makeFakeTransport({
    readPasskeyCeremony: () => ({ status: 'open', ceremony, origin: 'https://app.example' }),
    answerPasskeyCeremony: (body) => {
      told.push(body)
      return {}
    },
    ...change,
  })
  let closed = 0
  const stage = createStage({
    clock,
    host: noHost,
    analytics: () => {},
    standalone: true,
    loading: {
      isLoaded: (screen) => screen.isLoaded('en'),
      load: (screen) => screen.load('en'),
    },
    setView: (view) => views.push(view),
  })
  const closePage = () => {
    closed += 1
  }
  const ports = { transport, authenticator: device.authenticator, appName: 'Fieldnotes', closePage }
  stage.begin(passkeyPage(ports, handle)).catch(() => {})
  await settle()
  const screen = () => views.at(-1)?.screen
  return {
    clock,
    device,
    transport,
    told,
    closed: () => closed,
    state: () => screen()?.state,
    async press(event: 'ask' | 'leave' | 'retry') {
      const seen = screen()
      if (seen) pressIn(seen, event, [])
      await settle()
    },
  }
}

test.each([
  ['a passkey', asking, { type: 'get', assertion }],
  ['a new passkey', making, { type: 'create', attestation }],
] as const)('starts %s on a press, reports the result, and closes', async (_which, ceremony, answer) => {
  const page = await open(ceremony)
  expect(page.transport.calls('readPasskeyCeremony')).toMatchObject([{ body: { handle }, token: null }])
  expect(page.state()).toEqual(ready(ceremony.type))
  expect(page.device.asked).toEqual([])
  const pressed = page.press('ask')
  // Browsers require the call inside the press.
  expect(page.device.asked.map(({ options }) => options)).toEqual([ceremony.options])
  await pressed
  expect(page.state()).toEqual({ status: 'asking' })
  await page.device.approve()
  expect(page.told).toEqual([{ handle, answer }])
  expect(page.state()).toEqual({ status: 'answered' })
  await page.clock.advance(1_399)
  expect(page.closed()).toBe(0)
  await page.clock.advance(1)
  expect(page.closed()).toBe(1)
})

test('can be repeated after the device refused, without a report to the server', async () => {
  const page = await open(asking)
  for (const _ of [1, 2]) {
    await page.press('ask')
    await page.device.refuse()
    expect(page.state()).toEqual(ready('get', true))
  }
  expect(page.told).toEqual([])
  await page.press('ask')
  await page.device.approve()
  expect(page.told).toEqual([{ handle, answer: { type: 'get', assertion } }])
})

test('reports a press on its leave button', async () => {
  const page = await open(asking)
  await page.press('leave')
  expect(page.told).toEqual([{ handle, answer: { type: 'refused' } }])
  expect(page.state()).toEqual({ status: 'refused' })
  await page.press('ask')
  expect(page.device.asked).toEqual([])
})

test('shows that it was already answered', async () => {
  const page = await open(asking, { readPasskeyCeremony: () => ({ status: 'answered' }) })
  expect(page.state()).toEqual({ status: 'over', why: 'answered' })
})

test('shows an unknown or expired handle', async () => {
  const gone = () => {
    throw refused('not_found', 404)
  }
  const page = await open(asking, { readPasskeyCeremony: gone })
  expect(page.state()).toEqual({ status: 'over', why: 'unknown' })
  const late = await open(asking, { answerPasskeyCeremony: gone })
  await late.press('ask')
  await late.device.approve()
  expect(late.state()).toEqual({ status: 'over', why: 'unknown' })
})

test('resends a lost answer without another device prompt', async () => {
  let isUnreachable = true
  const page = await open(asking, {
    answerPasskeyCeremony: () => {
      if (isUnreachable) throw new LatchkeyError('server_unreachable', 'Offline')
      return {}
    },
  })
  await page.press('ask')
  await page.device.approve()
  expect(page.state()).toEqual({ status: 'unreachable' })
  isUnreachable = false
  await page.press('retry')
  expect(page.state()).toEqual({ status: 'answered' })
  expect(page.device.asked).toHaveLength(1)
})

test('rereads the ceremony after an unreachable server', async () => {
  let isUnreachable = true
  const page = await open(making, {
    readPasskeyCeremony: () => {
      if (isUnreachable) throw new LatchkeyError('server_unreachable', 'Offline')
      return { status: 'open', ceremony: making, origin: 'https://app.example' }
    },
  })
  expect(page.state()).toEqual({ status: 'unreachable' })
  isUnreachable = false
  await page.press('retry')
  expect(page.state()).toEqual(ready('create'))
})
