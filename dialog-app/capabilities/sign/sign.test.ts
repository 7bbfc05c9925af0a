import { LatchkeyError, type SignUi } from '@latchkey/protocol'
import { hashTypedData } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import type { GateEvent } from '../../approval/gate.ts'
import { looked, seenFrom, tapped } from '../../testing/approval.ts'
import { settle } from '../../testing/clock.ts'
import { type Fixture, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { readCard } from '../../testing/read-screen.ts'

const notHere = () => Promise.reject(new LatchkeyError('wallet_not_on_device', 'No share here'))
const requestScreen = 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'

async function fixture(change: FixtureOptions = {}, user = walletUser) {
  const made = await makeFixture({ answers: { logout: () => ({ success: true }) }, ...change })
  made.session.accept(makeAuthAnswer({ user }))
  return made
}
async function ask(made: Fixture, message = 'Hello', ui?: SignUi) {
  const signing = watch(made.signMessage({ message, ...(ui && { ui }) }))
  await settle()
  return signing
}
async function notice(made: Fixture, all: readonly GateEvent[]) {
  for (const noticed of all) await made.press(requestScreen, 'notice', noticed)
}
const arm = (made: Fixture) => notice(made, seenFrom(0))
const approve = (made: Fixture) => notice(made, tapped(710))
const review = (made: Fixture) => made.state(requestScreen)

describe('a signature', () => {
  // spec W4.15, W4.17, W4.1
  test('is given after review, shows success for 1.4 s, and resets after 200 ms', async () => {
    const made = await fixture()
    const signing = await ask(made)
    expect(made.wallet.log).toEqual(['connect', 'confirm', 'prepareSign'])
    await arm(made)
    await approve(made)
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
    expect(review(made).status).toBe('success')
    await made.clock.advance(1_399)
    expect(made.view()?.open).toBe(true)
    await made.clock.advance(1)
    expect(made.view()).toMatchObject({ open: false, screen: { state: { status: 'success' } } })
    await made.clock.advance(199)
    expect(made.screen()).toBe('EMBEDDED_WALLET_SIGN_REQUEST_SCREEN')
    await made.clock.advance(1)
    expect(made.screen()).toBeUndefined()
    expect(made.frame).toEqual(['show', 'hide'])
    expect(made.events).toEqual([
      'modal_open',
      'embedded_wallet_sign_message_started',
      'embedded_wallet_sign_message_completed',
      'modal_closed',
    ])
  })

  test('is made over the very string that was shown', async () => {
    const made = await fixture()
    const message = 'Line one\n\u202eevil\u0000 ✓'
    await ask(made, message)
    expect(review(made).content).toEqual({ kind: 'message', message })
    await arm(made)
    await approve(made)
    expect(made.wallet.log.at(-1)).toBe(`sign ${message}`)
  })

  // spec W2.17
  test('is asked for with the texts of the specification', async () => {
    const made = await fixture()
    await ask(made)
    expect(readCard(made)).toEqual(
      expect.arrayContaining([
        'Sign message',
        'Signing this message will not cost you any fees.',
        'Sign and continue',
      ]),
    )
    expect(review(made)).toMatchObject({
      iconUrl: undefined,
      appName: 'Demo',
      origin: 'http://demo.localhost:4010',
      address: walletAddress,
    })
  })

  // spec W2.18
  test('is asked for with the texts of the host where it gives some', async () => {
    const made = await fixture()
    const ui = { title: 'T', description: 'D', buttonText: 'B', iconUrl: 'data:image/png;base64,AAAA' }
    await ask(made, 'Hello', ui)
    expect(review(made)).toMatchObject(ui)
  })

  test('is asked for without an icon that the page may not load', async () => {
    const made = await fixture()
    await ask(made, 'Hello', { title: 'T', iconUrl: 'https://a.example/i.png' })
    expect(review(made)).toMatchObject({ title: 'T', iconUrl: undefined })
  })
})

const typedData = (chainId: number | undefined, value: unknown = '5') => ({
  types: {
    EIP712Domain: chainId === undefined ? [] : [{ name: 'chainId', type: 'uint256' }],
    Order: [{ name: 'count', type: 'uint256' }],
  },
  primaryType: 'Order',
  domain: chainId === undefined ? {} : { chainId },
  message: { count: value },
})
async function askTyped(made: Fixture, data: object | string) {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const signing = watch(made.more('signTypedData', { data: text }))
  for (let turn = 0; turn < 10; turn += 1) await settle()
  return signing
}

const fixtureWith = fixture

describe('typed data', () => {
  beforeAll(() => import('./typed-data/lazy/read.ts'))

  const fixture = (change: FixtureOptions = {}) => fixtureWith({ app: { testNetworks: [1, 10] }, ...change })

  // spec W2.19, W3.7
  test('is shown whole, and signed with the hash of what was shown', async () => {
    const requests: { method: string; params: readonly string[] }[] = []
    const sign: Fixture['wallet']['sign'] = async (_address, request) => {
      requests.push(request)
      return '0xsigned'
    }
    const made = await fixture({ wallet: { sign } })
    const signing = await askTyped(made, typedData(1))
    expect(review(made)).toMatchObject({
      status: 'review',
      content: {
        kind: 'typed-data',
        tree: [
          { name: 'Order', value: [{ name: 'count', type: 'uint256', value: '5' }] },
          { name: 'domain', value: [{ name: 'chainId', value: '1' }] },
        ],
      },
    })
    // Type, fields and domain, each with its value, and what copies them.
    const texts = await made.texts()
    for (const text of ['Order', 'count', '5', 'domain', 'chainId', '1', 'Copy all of it'])
      expect(texts).toContain(text)
    await arm(made)
    await approve(made)
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
    const [address, shown, digest] = requests[0]?.params ?? []
    expect(requests[0]?.method).toBe('eth_signTypedData_v4')
    expect(address).toBe(walletAddress)
    expect(JSON.parse(shown ?? '')).toEqual({ ...typedData(1), domain: { chainId: '1' } })
    expect(digest).toBe(hashTypedData(typedData(1) as never))
    expect(made.events).toContain('embedded_wallet_sign_typed_data_started')
    expect(made.events).toContain('embedded_wallet_sign_typed_data_completed')
  })

  test('for another chain than the wallet is on is not put to the user, who reads why', async () => {
    const made = await fixture({ config: { defaultChain: 10 } })
    const signing = await askTyped(made, typedData(1))
    expect(signing.error).toMatchObject({
      code: 'unsupported_chain_id',
      details: { chainId: '1', current: 10 },
    })
    expect(review(made)).toMatchObject({
      status: 'blocked',
      why: { kind: 'chain', asked: '1', current: 10 },
    })
    await made.press(requestScreen, 'leave')
    expect(made.view()?.open).toBe(false)
    const same = await fixture({ config: { defaultChain: 10 } })
    await askTyped(same, typedData(10))
    expect(review(same)).toMatchObject({ status: 'review' })
  })

  test.each<[string, object | string, object]>([
    ['a value that others would make fit', typedData(1, 'five'), { path: 'message.count' }],
    ['what is no JSON', '{', { path: '' }],
  ])('is refused with its path for %s, before anything is shown', async (_name, data, details) => {
    const made = await fixture()
    const signing = await askTyped(made, data)
    expect(signing.error).toMatchObject({ code: 'invalid_message', details })
    expect(made.frame).toEqual([])
  })

  test('with an address whose letters say that a digit is wrong is refused', async () => {
    const made = await fixture()
    const of = (address: string) => ({
      ...typedData(1),
      types: { ...typedData(1).types, Order: [{ name: 'to', type: 'address' }] },
      message: { to: address },
    })
    const wrong = await askTyped(made, of(walletAddress.replace('9EE7', '9eE7')))
    expect(wrong.error).toMatchObject({ code: 'invalid_message', details: { path: 'message.to' } })
    await askTyped(made, of(walletAddress.toLowerCase()))
    expect(review(made)).toMatchObject({ content: { tree: [{ value: [{ value: walletAddress }] }, {}] } })
  })

  test('in a browser that can not tell what is visible goes to its page, unlike a message', async () => {
    const made = await fixture()
    await askTyped(made, typedData(1))
    await notice(made, [looked(0, { method: 'intersecting' })])
    expect(review(made)).toMatchObject({ approval: { by: 'page', reason: 'browser', way: { at: 'ready' } } })
    const same = await fixture()
    await ask(same)
    await notice(same, seenFrom(0, { method: 'intersecting' }))
    expect(review(same)).toMatchObject({ approval: { by: 'press', gate: { state: 'armed' } } })
  })
})

describe('a message that logs its signer in', () => {
  const login = (domain: string) =>
    `${domain} wants you to sign in with your Ethereum account:\n${walletAddress}\n\nURI: https://${domain}\nVersion: 1\nChain ID: 1\nNonce: a1b2c3d4\nIssued At: 2026-01-01T00:00:00Z`

  test('at another site than asks is not put to the user', async () => {
    const made = await fixture()
    const signing = await ask(made, login('demo.localhost'))
    expect(signing.error).toMatchObject({ code: 'invalid_message', details: { domain: 'demo.localhost' } })
    expect(review(made)).toMatchObject({
      status: 'blocked',
      why: { kind: 'sign-in', domain: 'demo.localhost' },
    })
    expect(made.events).toContain('possible_phishing_attempt')
    expect(made.wallet.log).not.toContainEqual(expect.stringMatching(/^sign /))
  })

  test('is recognised among bytes that are no text', async () => {
    const made = await fixture()
    const raw = `0x${Buffer.of(...Buffer.from(login('bank.example')), 0xff).toString('hex')}`
    const signing = watch(made.more('signMessage', { message: { raw } }))
    await settle()
    expect(signing.error).toMatchObject({ code: 'invalid_message', details: { domain: 'bank.example' } })
  })

  test('goes to the wallet page in a browser that does not name the page around the dialog', async () => {
    const reviewed = async (message: string) => {
      const made = await fixture()
      Object.assign(made.settings(), { isHostUnnamed: true })
      await ask(made, message)
      return review(made)
    }
    expect(await reviewed('Hello')).toMatchObject({ approval: { by: 'press' } })
    expect(await reviewed(login('demo.localhost:4010'))).toMatchObject({
      approval: { by: 'page', reason: 'browser' },
    })
  })

  test('at the site that asks is', async () => {
    const made = await fixture()
    await ask(made, login('demo.localhost:4010'))
    expect(review(made)).toMatchObject({ status: 'review' })
    expect(made.events).not.toContain('possible_phishing_attempt')
  })
})

describe('an approval is not taken', () => {
  test('before the card was visible and still for 700 ms', async () => {
    const made = await fixture()
    await ask(made)
    await approve(made)
    await notice(
      made,
      [0, 350, 699].map((atMs) => looked(atMs)),
    )
    await approve(made)
    expect(review(made)).toMatchObject({
      status: 'review',
      approval: { by: 'press', gate: { state: 'arming' } },
    })
    await notice(made, [looked(720)])
    expect(review(made)).toMatchObject({
      status: 'review',
      approval: { by: 'press', gate: { state: 'armed' } },
    })
  })

  test('right after something moved', async () => {
    const made = await fixture()
    await ask(made)
    await arm(made)
    await notice(made, [looked(505, { card: { x: 100, y: 60, widthPx: 376, heightPx: 430 } })])
    await approve(made)
    expect(review(made)).toMatchObject({
      status: 'review',
      approval: { by: 'press', gate: { state: 'arming' } },
    })
  })
})

describe('the card', () => {
  test('shows the success until it is skipped, and that it is being signed once', async () => {
    const made = await fixture()
    await ask(made)
    await arm(made)
    await approve(made)
    const states = made.views.map(({ screen, held }) => [screen?.state, held])
    expect(states.slice(-3)).toMatchObject([
      [{ status: 'signing' }, false],
      [{ status: 'success' }, false],
      [{ status: 'success' }, true],
    ])
    expect(states.at(-4)).toMatchObject([{ status: 'review' }, false])
    made.stage.skip()
    await settle()
    expect(made.view()?.open).toBe(false)
  })

  test('is there at once, and the wallet connects while it is read', async () => {
    const connected = Promise.withResolvers<void>()
    const made = await fixture({ wallet: { connect: () => connected.promise } })
    const signing = await ask(made)
    expect(review(made)).toMatchObject({ status: 'review', address: walletAddress })
    await arm(made)
    await approve(made)
    expect(review(made).status).toBe('signing')
    expect(made.wallet.log).not.toContain('sign Hello')
    connected.resolve()
    await settle()
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
  })

  // spec W8.13
  test('says that the wallet could not be recovered, whatever was pressed meanwhile', async () => {
    const connected = Promise.withResolvers<void>()
    const made = await fixture({ wallet: { connect: () => connected.promise } })
    const signing = await ask(made)
    await arm(made)
    await approve(made)
    connected.reject(new LatchkeyError('server_unreachable', 'Nobody there'))
    await settle()
    expect(review(made).status).toBe('failed')
    expect(await made.texts()).toContain('Unable to recover wallet')
    expect(made.wallet.log).not.toContain('sign Hello')
    await made.close()
    expect(signing.error).toMatchObject({
      code: 'unable_to_sign',
      message: 'Unable to recover wallet',
    })
  })
})

describe('closing', () => {
  // spec W4.16, W8.21
  test('before signing rejects as user rejected', async () => {
    const made = await fixture()
    const signing = await ask(made)
    await arm(made)
    await made.close()
    expect(signing.error).toMatchObject({
      code: 'user_rejected_request',
      message: 'The user rejected the request',
      details: { code: 4001 },
    })
  })

  // spec W4.16
  test('while something covers the card is the refusal of the user too', async () => {
    const made = await fixture()
    const signing = await ask(made)
    await notice(made, seenFrom(0, { visible: false }))
    expect(review(made)).toMatchObject({ approval: { by: 'press', gate: { state: 'hidden' } } })
    await made.close()
    expect(signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })

  test('while the card is too small to be read is the same', async () => {
    const made = await fixture()
    const signing = await ask(made)
    await notice(made, seenFrom(0, { pixelRatio: 0.5 }))
    expect(review(made)).toMatchObject({ approval: { by: 'press', gate: { state: 'unreadable' } } })
    await made.close()
    expect(signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })

  test('while it is being signed does nothing', async () => {
    const made = await fixture({ wallet: { signMessage: () => new Promise(() => {}) } })
    const signing = await ask(made)
    await arm(made)
    await approve(made)
    expect(made.view()?.header.close).toBe(false)
    await made.close()
    expect(signing.settled).toBe(false)
  })
})

describe('a browser without a share of the wallet', () => {
  // spec W4.2, W2.3
  test('recovers by itself while the message is read, which stays on the card', async () => {
    const recovered = Promise.withResolvers<void>()
    const made = await fixture({ wallet: { connect: notHere, recover: () => recovered.promise } })
    const signing = await ask(made)
    await arm(made)
    await made.clock.advance(60_000)
    expect(made.screen()).toBe(requestScreen)
    await approve(made)
    await made.clock.advance(149)
    expect(made.screen()).toBe(requestScreen)
    await made.clock.advance(1)
    expect(made.screen()).toBe('EMBEDDED_WALLET_CONNECTING_SCREEN')
    expect(made.wallet.log).not.toContainEqual(expect.stringMatching(/^sign /))
    recovered.resolve()
    await settle()
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
    expect(review(made).status).toBe('success')
    expect(made.events).toContain('embedded_wallet_pinless_recovery_started')
    expect(made.events).toContain('embedded_wallet_recovery_completed')
  })

  test('is given one unseen where it is there when the user approves', async () => {
    const recovered = Promise.withResolvers<void>()
    const made = await fixture({ wallet: { connect: notHere, recover: () => recovered.promise } })
    const signing = await ask(made)
    await arm(made)
    recovered.resolve()
    await settle()
    await approve(made)
    expect(signing.value).toMatchObject({ signature: '0xsigned' })
    await made.clock.advance(150)
    expect(made.views.map(({ screen }) => screen?.name)).not.toContain('EMBEDDED_WALLET_CONNECTING_SCREEN')
  })

  test('that loses it between review and click recovers too', async () => {
    let tries = 0
    const made = await fixture({
      wallet: { signMessage: async () => (++tries === 1 ? notHere() : '0xsecond') },
    })
    const signing = await ask(made)
    await arm(made)
    await approve(made)
    expect(signing.value).toMatchObject({ signature: '0xsecond' })
    expect(made.wallet.log).toContain('recover')
  })
})

test('a signature that failed can be tried again from the start', async () => {
  let tries = 0
  const made = await fixture({
    wallet: {
      signMessage: async () => {
        tries += 1
        if (tries === 1) throw new LatchkeyError('share_mismatch', 'Not the share')
        return '0xsecond'
      },
    },
  })
  const signing = await ask(made)
  await arm(made)
  await approve(made)
  expect(review(made)).toMatchObject({ status: 'failed' })
  await made.press(requestScreen, 'retry')
  expect(review(made)).toMatchObject({
    status: 'review',
    approval: { by: 'press', gate: { state: 'waiting' } },
  })
  await arm(made)
  await approve(made)
  expect(signing.value).toMatchObject({ signature: '0xsecond' })
})

describe('who may ask', () => {
  // spec L8.55
  test.each(['', undefined])('not for the message %j', async (message) => {
    const signing = (await fixture()).signMessage({ message: message as string })
    await expect(signing).rejects.toMatchObject({
      code: 'invalid_message',
      message: 'Message must be a non-empty string',
    })
  })

  test('not for a text that can not be encoded as it is', async () => {
    const signing = (await fixture()).signMessage({ message: 'half \ud83d' })
    await expect(signing).rejects.toMatchObject({ code: 'invalid_message' })
  })

  test('not for a visitor', async () => {
    const made = await makeFixture({})
    const signing = await ask(made)
    expect(signing.error).toMatchObject({ code: 'must_be_authenticated' })
    expect(made.frame).toEqual([])
  })

  test('not for somebody without a wallet', async () => {
    const signing = await ask(await fixture({}, visitorUser))
    expect(signing.error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })

  test('one at a time: the second takes the card over when the first is gone', async () => {
    const made = await fixture()
    const first = await ask(made, 'first')
    const second = await ask(made, 'second')
    expect(review(made).content).toEqual({ kind: 'message', message: 'first' })
    await made.close()
    expect(first.settled).toBe(true)
    expect(review(made).content).toEqual({ kind: 'message', message: 'second' })
    expect(made.frame).toEqual(['show'])
    expect(second.settled).toBe(false)
  })

  test('fifty may wait, and the next is refused', async () => {
    const made = await fixture()
    await ask(made, 'shown')
    const waiting = Array.from({ length: 50 }, (_, index) =>
      watch(made.signMessage({ message: `waiting ${index}` })),
    )
    await settle()
    const next = await ask(made, 'one too many')
    expect(next.error).toMatchObject({ code: 'too_many_requests' })
    expect(waiting.some((each) => each.settled)).toBe(false)
  })
})

test('a logout ends an approval that is shown', async () => {
  const made = await fixture()
  const signing = await ask(made)
  await made.session.logout()
  await settle()
  expect(signing.error).toMatchObject({ code: 'must_be_authenticated' })
  expect(made.view()?.open).toBe(false)
})
