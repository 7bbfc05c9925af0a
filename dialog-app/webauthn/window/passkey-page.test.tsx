import { LatchkeyError } from '@latchkey/protocol'
import type { PasskeyAnswer, PasskeyCeremony } from '@latchkey/protocol/api'
import { getByRole } from '@testing-library/dom'
import { expect, test } from 'vitest'
import { createStage } from '../../flow/stage.ts'
import type { View } from '../../flow/view.ts'
import { noHost } from '../../host/serve.ts'
import { makeFakeClock, settle } from '../../testing/clock.ts'
import { type Answers, makeFakeTransport, refused } from '../../testing/fixture.ts'
import { makeSettings } from '../../testing/fixtures.ts'
import { renderDialog } from '../../testing/page.tsx'
import { assertion, attestation, makeDevice } from '../testing.ts'
import { passkeyPage } from './passkey-page.ts'

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
const prompt = { get: 'Use passkey', create: 'Create passkey' } as const
const finished = 'The app continues by itself. You can close this window.'
const unreachable = 'This page could not continue'
const rejected = 'Passkey request timed out or rejected by user.'

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
  const listeners = new Set<() => void>()
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
    setView(view) {
      views.push(view)
      for (const listener of listeners) listener()
    },
  })
  const closePage = () => {
    closed += 1
  }
  const ports = { transport, authenticator: device.authenticator, appName: 'Fieldnotes', closePage }
  stage.begin(passkeyPage(ports, handle)).catch(() => {})
  await settle()
  const page = renderDialog({
    settings: () => makeSettings(),
    view: () => views.at(-1),
    onView: (listener) => void listeners.add(listener),
    stage,
  })
  await settle()
  return { ...page, clock, device, transport, told, closed: () => closed }
}

test.each([
  ['a passkey', asking, { type: 'get', assertion }],
  ['a new passkey', making, { type: 'create', attestation }],
] as const)('starts %s on a press, reports the result, and closes', async (_which, ceremony, answer) => {
  const page = await open(ceremony)
  expect(page.transport.calls('readPasskeyCeremony')).toMatchObject([{ body: { handle }, token: null }])
  await page.see('app.example')
  expect(page.has(/Fieldnotes/)).toBe(true)
  expect(page.device.asked).toEqual([])
  getByRole(document.body, 'button', { name: prompt[ceremony.type] }).click()
  // Browsers require the call inside the press.
  expect(page.device.asked.map(({ options }) => options)).toEqual([ceremony.options])
  await page.see('Waiting for your passkey')
  await page.device.approve()
  expect(page.told).toEqual([{ handle, answer }])
  await page.see(finished)
  await page.clock.advance(1_399)
  expect(page.closed()).toBe(0)
  await page.clock.advance(1)
  expect(page.closed()).toBe(1)
})

test('can be repeated after the device refused, without a report to the server', async () => {
  const page = await open(asking)
  for (const _ of [1, 2]) {
    await page.press(prompt.get)
    await page.device.refuse()
    await page.see(rejected)
  }
  expect(page.told).toEqual([])
  await page.press(prompt.get)
  await page.device.approve()
  expect(page.told).toEqual([{ handle, answer: { type: 'get', assertion } }])
})

test('reports a press on its leave button', async () => {
  const page = await open(asking)
  await page.press('Cancel')
  expect(page.told).toEqual([{ handle, answer: { type: 'refused' } }])
  await page.see('Nothing was done. You can close this window.')
  expect(page.hasButton(/passkey/)).toBe(false)
  expect(page.device.asked).toEqual([])
})

test('shows that it was already answered', async () => {
  const page = await open(asking, { readPasskeyCeremony: () => ({ status: 'answered' }) })
  await page.see('This was already answered')
})

test.each(['readPasskeyCeremony', 'answerPasskeyCeremony'] as const)(
  'shows a handle that %s does not know',
  async (route) => {
    const gone = () => {
      throw refused('not_found', 404)
    }
    const page = await open(asking, { [route]: gone })
    if (route === 'answerPasskeyCeremony') {
      await page.press(prompt.get)
      await page.device.approve()
    }
    await page.see('There is no such request')
  },
)

test('resends a lost answer without another device prompt', async () => {
  let isUnreachable = true
  const page = await open(asking, {
    answerPasskeyCeremony: () => {
      if (isUnreachable) throw new LatchkeyError('server_unreachable', 'Offline')
      return {}
    },
  })
  await page.press(prompt.get)
  await page.device.approve()
  await page.see(unreachable)
  isUnreachable = false
  await page.press('Try again')
  await page.see(finished)
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
  await page.see(unreachable)
  isUnreachable = false
  await page.press('Try again')
  await page.see(prompt.create)
})
