import { LatchkeyError } from '@latchkey/protocol'
import type { ConfirmationState } from '@latchkey/protocol/wallet'
import { beforeAll, describe, expect, test } from 'vitest'
import type { GateEvent } from '../../approval/gate.ts'
import { looked, seenFrom, tapped } from '../../testing/approval.ts'
import { settle } from '../../testing/clock.ts'
import {
  confirmedIn,
  type Fixture,
  type FixtureOptions,
  makeFixture,
  refused,
  watch,
} from '../../testing/fixture.ts'
import { appId, makeAuthAnswer, startSeconds, walletUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'
import { capabilities } from '../index.ts'
import { confirmIn } from './confirm.ts'

beforeAll(() => import('./decision.ts'))

const requestScreen = 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'
const confirmScreen = 'CONFIRM_ON_PAGE_SCREEN'
const message = 'I agree.'
const handle = 'h'.repeat(43)
const buttonOf = (name: string) =>
  `https://wallet.example/apps/${appId}/embedded-wallets/open-window?page=confirm#${name}`

async function fixture(change: FixtureOptions = {}, userAgent = 'Firefox/140.0') {
  const states: (ConfirmationState | LatchkeyError)[] = []
  const made = await makeFixture({
    answers: {
      logout: () => ({ success: true }),
      decideConfirmation: () => ({ state: 'refused' }),
      confirmationStatus() {
        const state = states.shift() ?? 'open'
        if (state instanceof LatchkeyError) throw state
        return { state }
      },
    },
    wallet: { confirm: async () => confirmedIn('page') },
    capabilities: [...capabilities.filter(({ name }) => name !== 'confirm'), confirmIn({ userAgent })],
    ...change,
  })
  made.session.accept(makeAuthAnswer({ user: walletUser }))
  const signing = watch(made.signMessage({ message }))
  await come()
  return { ...made, states, signing }
}
async function come() {
  for (let turn = 0; turn < 10; turn += 1) await settle()
}
async function second(made: Fixture) {
  await made.clock.advance(1_000)
  await come()
}
async function openPage(made: Fixture, state: 'open' | 'unknown' = 'open') {
  await made.press(requestScreen, 'pageOpened', state)
  await come()
}
async function notice(made: Fixture, all: readonly GateEvent[]) {
  for (const noticed of all) {
    if (made.screen() === requestScreen) await made.press(requestScreen, 'notice', noticed)
  }
  await come()
}

describe('a request that is confirmed on a page', () => {
  test('has one button, of the wallet’s origin, and is signed once the page that it opened approved it', async () => {
    const made = await fixture()
    const way = { buttonUrl: buttonOf(handle), mayBeBlocked: false }
    expect(made.state(requestScreen)).toMatchObject({
      approval: { by: 'page', reason: 'beyond_allowance', way: { at: 'ready', ...way } },
    })
    // What is pressed on the card approves nothing.
    await notice(made, [...seenFrom(0), ...tapped(710)])
    expect(made.wallet.log).not.toContain(`sign ${message}`)
    expect(made.transport.calls('confirmationStatus')).toEqual([])
    await openPage(made)
    // What is asked for stays to be read.
    expect(made.state(requestScreen)).toMatchObject({
      status: 'review',
      approval: { by: 'page', way: { at: 'opened', ...way } },
    })
    expect(made.wallet.log).toContain(`offer ${handle}`)
    expect(made.transport.calls('confirmationStatus').map(({ body }) => body)).toEqual([{ handle }])
    await second(made)
    expect(made.wallet.log).not.toContain(`sign ${message}`)
    made.states.push('approved')
    await second(made)
    expect(made.transport.calls('confirmationStatus')).toHaveLength(3)
    expect(made.wallet.log.at(-1)).toBe(`sign ${message}`)
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('that is opened again is waited for once, and not put anew while its page is open', async () => {
    const puts: string[] = []
    const confirm = async () => {
      puts.push('put')
      return confirmedIn('page')
    }
    const made = await fixture({ wallet: { confirm } })
    await openPage(made)
    await openPage(made)
    expect(made.transport.calls('confirmationStatus')).toHaveLength(1)
    await made.clock.advance(270_000)
    await come()
    expect(puts).toHaveLength(1)
  })

  test('is refused there with 4001', async () => {
    const made = await fixture()
    await openPage(made)
    made.states.push('refused')
    await second(made)
    expect(made.signing.error).toMatchObject({
      code: 'user_rejected_request',
      message: 'The user rejected the request',
      details: { code: 4001 },
    })
    expect(made.wallet.log).not.toContain(`sign ${message}`)
  })

  test.each(['cancelPage', 'close'] as const)(
    'is given up on the card by %s, with 4001, and can not be confirmed there any more',
    async (by) => {
      const made = await fixture()
      await openPage(made)
      expect(made.transport.calls('decideConfirmation')).toEqual([])
      if (by === 'cancelPage') await made.press(requestScreen, 'cancelPage')
      else await made.close()
      await come()
      expect(made.signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
      await second(made)
      expect(made.transport.calls('confirmationStatus')).toHaveLength(1)
      const { digest } = confirmedIn('page')
      expect(made.transport.calls('decideConfirmation').map(({ body }) => body)).toEqual([
        { handle, digest, decision: 'refuse' },
      ])
    },
  )

  test('is offered to the window that the page has opened for it, which the card takes for open', async () => {
    const window = 'w'.repeat(43)
    const offered: unknown[] = []
    const made = await fixture({
      wallet: {
        confirm: async () => confirmedIn('page'),
        offer: async (each) => void offered.push(each),
      },
    })
    const typed = JSON.stringify({
      domain: {},
      types: { Note: [{ name: 'text', type: 'string' }] },
      primaryType: 'Note',
      message: { text: 'hello' },
    })
    await made.close()
    await second(made)
    const signing = watch(
      made.more('signTypedData', { data: typed }, { signal: new AbortController().signal, window }),
    )
    await come()
    const { digest } = confirmedIn('page')
    expect(offered).toEqual([{ handle, digest, window }])
    expect(made.state(requestScreen)).toMatchObject({
      approval: { by: 'page', way: { at: 'opened', mayBeBlocked: false } },
    })
    made.states.push('approved')
    await second(made)
    expect(signing.value).toMatchObject({ signature: expect.stringMatching(/^0x(?:5e)+$/) })
  })

  test('that expired there can be tried again, under another name', async () => {
    const handles = ['a'.repeat(43), 'b'.repeat(43)]
    const confirm = async () => {
      const name = handles.shift() ?? handle
      return confirmedIn('page', { handle: name })
    }
    const made = await fixture({ wallet: { confirm } })
    await openPage(made)
    made.states.push('expired')
    await second(made)
    expect(made.state(requestScreen)).toMatchObject({ status: 'failed', problem: 'expired' })
    expect(readCard(made)).toContain('It was not confirmed in time. Please try again.')
    await made.press(requestScreen, 'retry')
    await come()
    expect(made.state(requestScreen)).toMatchObject({
      approval: { way: { at: 'ready', buttonUrl: buttonOf('b'.repeat(43)) } },
    })
  })

  test('is waited for as long as the server keeps it, and no longer', async () => {
    const made = await fixture()
    await openPage(made)
    await made.clock.advance(299_000)
    await second(made)
    expect(made.state(requestScreen)).toMatchObject({ status: 'review' })
    await second(made)
    expect(made.state(requestScreen)).toMatchObject({ status: 'failed' })
  })

  test('is waited for though the server did not answer for a while', async () => {
    const made = await fixture()
    await openPage(made)
    made.states.push(new LatchkeyError('server_unreachable', 'No answer'), 'approved')
    await second(made)
    expect(made.state(requestScreen)).toMatchObject({ status: 'review' })
    await second(made)
    expect(made.signing.settled).toBe(true)
  })

  test('says that its window may have been blocked, until one is known to have come', async () => {
    const made = await fixture()
    await openPage(made, 'unknown')
    expect(made.state(requestScreen)).toMatchObject({
      approval: { way: { at: 'opened', mayBeBlocked: true } },
    })
    await openPage(made)
    expect(made.state(requestScreen)).toMatchObject({ approval: { way: { mayBeBlocked: false } } })
  })

  test('is waited for though its window reads as closed', async () => {
    const made = await fixture()
    await openPage(made)
    await made.press(requestScreen, 'pageOpened', 'closed')
    made.states.push('approved')
    await second(made)
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('inside of an app has no button of the wallet, says why, and is refused with a code', async () => {
    const made = await fixture({}, 'Mozilla/5.0 (iPhone) Instagram 300.0')
    expect(made.state(requestScreen)).toMatchObject({ approval: { by: 'page', way: { at: 'nowhere' } } })
    await made.press(requestScreen, 'explainPage')
    await come()
    expect(made.screen()).toBe(confirmScreen)
    await made.press(confirmScreen, 'leave')
    await come()
    expect(made.signing.error).toMatchObject({ code: 'approval_required_elsewhere' })
  })
})

describe('a request that may be confirmed on the card', () => {
  test('takes no press before the server has said so', async () => {
    const placed = Promise.withResolvers<ReturnType<typeof confirmedIn>>()
    const made = await fixture({ wallet: { confirm: () => placed.promise } })
    await notice(made, [...seenFrom(0), ...tapped(710)])
    expect(made.state(requestScreen)).toMatchObject({ approval: { by: 'press', gate: { state: 'arming' } } })
    placed.resolve(confirmedIn('frame'))
    await come()
    expect(made.state(requestScreen)).toMatchObject({ approval: { by: 'press', gate: { state: 'armed' } } })
    await notice(made, [looked(800), ...tapped(810)])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('takes no press that began before the server has said so', async () => {
    const placed = Promise.withResolvers<ReturnType<typeof confirmedIn>>()
    const made = await fixture({ wallet: { confirm: () => placed.promise } })
    await notice(made, [...seenFrom(0), { type: 'down', by: 'touch', atMs: 710 }])
    placed.resolve(confirmedIn('frame'))
    await come()
    await notice(made, [looked(600), { type: 'press', atMs: 610 }])
    expect(made.wallet.log).not.toContain(`sign ${message}`)
    await notice(made, [looked(900), ...tapped(910)])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('waits for no page, before the server has said so or after, and is approved on the card', async () => {
    const placed = Promise.withResolvers<ReturnType<typeof confirmedIn>>()
    const made = await fixture({ wallet: { confirm: () => placed.promise } })
    await openPage(made)
    placed.resolve(confirmedIn('frame'))
    await come()
    await openPage(made)
    expect(made.transport.calls('confirmationStatus')).toEqual([])
    await notice(made, [...seenFrom(0), ...tapped(710)])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('is put anew half a minute before it expires', async () => {
    const puts: string[] = []
    const confirm = async () => {
      puts.push('put')
      return confirmedIn('frame', { expiresAtMs: startSeconds * 1_000 + puts.length * 300_000 })
    }
    const made = await fixture({ wallet: { confirm } })
    await made.clock.advance(269_999)
    expect(puts).toHaveLength(1)
    await made.clock.advance(1)
    expect(puts).toHaveLength(2)
  })

  test('goes to the page where the allowance was used up meanwhile', async () => {
    const places = ['frame', 'page'] as const
    let tries = 0
    const made = await fixture({
      wallet: {
        async confirm() {
          tries += 1
          return confirmedIn(places[tries - 1] ?? 'page')
        },
        signMessage: () => Promise.reject(refused('approval_required_elsewhere', 403)),
      },
    })
    await notice(made, [...seenFrom(0), ...tapped(710)])
    expect(made.state(requestScreen)).toMatchObject({ status: 'review', approval: { by: 'page' } })
  })

  test('can be tried again where the server could not be asked', async () => {
    let isThere = false
    const made = await fixture({
      wallet: {
        async confirm() {
          if (!isThere) throw new LatchkeyError('server_unreachable', 'No answer')
          return confirmedIn('frame')
        },
      },
    })
    expect(made.state(requestScreen)).toMatchObject({ status: 'failed' })
    isThere = true
    await made.press(requestScreen, 'retry')
    expect(made.state(requestScreen)).toMatchObject({ status: 'review' })
  })
})

// spec W6.2
describe('a host that wants no prompts', () => {
  const config = { embeddedWallets: { noPromptOnSignature: true } }

  test('gets a signature without a screen where the server allows it', async () => {
    const asked: unknown[] = []
    const made = await fixture({
      config,
      wallet: {
        async confirm(_address, _request, asker) {
          asked.push(asker?.place)
          return confirmedIn('silent')
        },
      },
    })
    expect(asked).toEqual(['silent'])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
    expect(made.views.filter(({ open }) => open)).toEqual([])
    expect(made.frame).toEqual([])
  })

  test.each(['frame', 'page'] as const)('has its user asked where the server says %s', async (place) => {
    const made = await fixture({ config, wallet: { confirm: async () => confirmedIn(place) } })
    expect(made.state(requestScreen)).toMatchObject({
      status: 'review',
      approval: { by: place === 'page' ? 'page' : 'press' },
    })
    expect(made.signing.settled).toBe(false)
  })

  test('has its user asked where what the server allowed was used up before it was signed', async () => {
    const asked: unknown[] = []
    let tries = 0
    const made = await fixture({
      config,
      wallet: {
        async confirm(_address, _request, asker) {
          asked.push(asker?.place)
          return confirmedIn(asker?.place === 'silent' ? 'silent' : 'frame')
        },
        async signMessage() {
          tries += 1
          if (tries === 1) throw refused('approval_required_elsewhere', 403)
          return '0xsigned'
        },
      },
    })
    expect(asked).toEqual(['silent', 'frame'])
    expect(made.state(requestScreen)).toMatchObject({ status: 'review', approval: { by: 'press' } })
    expect(made.signing.settled).toBe(false)
    await notice(made, [...seenFrom(0), ...tapped(710)])
    expect(made.signing.value).toMatchObject({ signature: '0xsigned' })
  })

  test('asks nobody’s leave where it does not want that', async () => {
    const asked: unknown[] = []
    await fixture({
      wallet: {
        async confirm(_address, _request, asker) {
          asked.push(asker?.place)
          return confirmedIn('frame')
        },
      },
    })
    expect(asked).toEqual(['frame'])
  })
})
