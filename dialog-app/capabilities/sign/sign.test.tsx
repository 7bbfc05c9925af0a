import { LatchkeyError, type SignUi } from '@latchkey/protocol'
import type { VisibilityMethod } from '@latchkey/protocol/browser'
import { looked, seenFrom, tapped } from '@latchkey/protocol/browser/testing'
import { hashTypedData } from 'viem'
import { beforeAll, describe, expect, test } from 'vitest'
import { settle } from '../../testing/clock.ts'
import { confirmedIn, type Fixture, type FixtureOptions, makeFixture, watch } from '../../testing/fixture.ts'
import { makeAuthAnswer, visitorUser, walletAddress, walletUser } from '../../testing/fixtures.ts'
import { type Page, renderDialog } from '../../testing/page.tsx'

const notHere = () => Promise.reject(new LatchkeyError('wallet_not_on_device', 'No share here'))
const requestScreen = 'EMBEDDED_WALLET_SIGN_REQUEST_SCREEN'

type Options = FixtureOptions & { visibility?: VisibilityMethod }

async function fixture({ visibility, ...change }: Options = {}, user = walletUser) {
  const made = await makeFixture({ answers: { logout: () => ({ success: true }) }, ...change })
  made.session.accept(makeAuthAnswer({ user }))
  return { ...made, page: renderDialog(made, { ...(visibility && { visibility }) }) }
}
type Made = Omit<Fixture, 'page'> & { page: Page }
async function ask(made: Pick<Fixture, 'signMessage'>, message = 'Hello', ui?: SignUi) {
  const signing = watch(made.signMessage({ message, ...(ui && { ui }) }))
  await settle()
  return signing
}
const arm = ({ page }: Made) => page.notice(seenFrom(0))
const approve = ({ page }: Made) => page.notice(tapped(710))
const title = 'Sign message'
const failure = 'Unable to sign'
const blocked = 'This request was blocked'
/** Nothing covers the request while it is reviewed. */
const seeReview = ({ page }: Made) => page.see('Sign and continue')

describe('a signature', () => {
  // spec W4.15, W4.17, W4.1
  test('is made after the review, shows success for 1.4 s, and resets after 200 ms', async () => {
    const made = await fixture()
    const signing = await ask(made)
    await seeReview(made)
    expect(made.wallet.log).toEqual(['connect', 'confirm', 'prepareSign'])
    await arm(made)
    await approve(made)
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
    await made.page.see('Success')
    await made.clock.advance(1_399)
    expect(made.view()?.open).toBe(true)
    await made.clock.advance(1)
    expect(made.view()?.open).toBe(false)
    expect(made.page.has('Success')).toBe(true)
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

  test('signs exactly the shown message', async () => {
    const made = await fixture()
    const message = 'Line one\n\u202eevil\u0000 ✓'
    await ask(made, message)
    await made.page.see(/Line one/)
    for (const part of ['U+202E', 'evil', '␀']) expect(made.page.texts()).toContain(part)
    await arm(made)
    await approve(made)
    expect(made.wallet.log.at(-1)).toBe(`sign ${message}`)
  })

  // spec W2.17
  test('shows the default texts', async () => {
    const made = await fixture()
    await ask(made)
    await made.page.see('Sign message')
    for (const text of [
      'Signing this message will not cost you any fees.',
      'Sign and continue',
      'Demo',
      'http://demo.localhost:4010',
    ]) {
      expect(made.page.texts()).toContain(text)
    }
    expect(document.querySelector('img')).toBeNull()
  })

  // spec W2.18
  test('shows the texts of the host', async () => {
    const made = await fixture()
    const ui = { title: 'T', description: 'D', buttonText: 'B', iconUrl: 'data:image/png;base64,AAAA' }
    await ask(made, 'Hello', ui)
    for (const text of ['T', 'D', 'B']) await made.page.see(text)
    expect(document.querySelector('img')?.getAttribute('src')).toBe(ui.iconUrl)
  })

  test('shows no icon of a forbidden address', async () => {
    const made = await fixture()
    await ask(made, 'Hello', { title: 'T', iconUrl: 'https://a.example/i.png' })
    await made.page.see('T')
    expect(document.querySelector('img')).toBeNull()
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
async function askTyped(made: Pick<Fixture, 'more'>, data: object | string) {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  const signing = watch(made.more('signTypedData', { data: text }))
  await settle()
  return signing
}

const fixtureWith = fixture

describe('typed data', () => {
  beforeAll(() => import('./typed-data/lazy/read.ts'))

  const fixture = (change: Options = {}) => fixtureWith({ app: { testNetworks: [1, 10] }, ...change })

  // spec W2.19, W3.7
  test('is shown in full, and signed with the hash of the shown data', async () => {
    const requests: { method: string; params: readonly string[] }[] = []
    const sign: Fixture['wallet']['sign'] = async (_address, request) => {
      requests.push(request)
      return '0xsigned'
    }
    const made = await fixture({ wallet: { sign } })
    const signing = await askTyped(made, typedData(1))
    // Type, fields and domain with their values, and the button that copies them.
    for (const text of ['Order', 'count', '5', 'domain', 'chainId', '1', 'Copy all of it'])
      await made.page.see(text)
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

  test('for another chain cannot be approved, and the card shows the reason', async () => {
    const made = await fixture({ config: { defaultChain: 10 } })
    const signing = await askTyped(made, typedData(1))
    expect(signing.error).toMatchObject({
      code: 'unsupported_chain_id',
      details: { chainId: '1', current: 10 },
    })
    await made.page.see('It is for network 1, but your wallet is on network 10.')
    expect(made.page.has(blocked)).toBe(true)
    // The header has a button of the same name.
    const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent === 'Close')
    button?.click()
    await settle()
    expect(made.view()?.open).toBe(false)
    const same = await fixture({ config: { defaultChain: 10 } })
    await askTyped(same, typedData(10))
    await seeReview(same)
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

  test('is rejected with an address of a wrong checksum', async () => {
    const made = await fixture()
    const of = (address: string) => ({
      ...typedData(1),
      types: { ...typedData(1).types, Order: [{ name: 'to', type: 'address' }] },
      message: { to: address },
    })
    const wrong = await askTyped(made, of(walletAddress.replace('9EE7', '9eE7')))
    expect(wrong.error).toMatchObject({ code: 'invalid_message', details: { path: 'message.to' } })
    await askTyped(made, of(walletAddress.toLowerCase()))
    await made.page.see(walletAddress)
  })

  test('is approved on the wallet page in a browser without visibility reports, unlike a message', async () => {
    const made = await fixture({ visibility: 'intersecting' })
    await askTyped(made, typedData(1))
    await made.page.notice([looked(0)])
    await made.page.see('You confirm this on a separate page, where nothing can cover it.')
    expect(made.page.gate()).toBeUndefined()
    const same = await fixture({ visibility: 'intersecting' })
    await ask(same)
    await same.page.notice(seenFrom(0))
    expect(same.page.gate()).toBe('armed')
  })
})

describe('a message that logs its signer in', () => {
  const login = (domain: string) =>
    `${domain} wants you to sign in with your Ethereum account:\n${walletAddress}\n\nURI: https://${domain}\nVersion: 1\nChain ID: 1\nNonce: a1b2c3d4\nIssued At: 2026-01-01T00:00:00Z`

  test('at another site cannot be approved', async () => {
    const made = await fixture()
    const signing = await ask(made, login('demo.localhost'))
    expect(signing.error).toMatchObject({ code: 'invalid_message', details: { domain: 'demo.localhost' } })
    await made.page.see(/^This message logs you in at demo\.localhost, but another site asks for it\./)
    expect(made.events).toContain('possible_phishing_attempt')
    expect(made.wallet.log).not.toContainEqual(expect.stringMatching(/^sign /))
  })

  test('is found in bytes that are not valid text', async () => {
    const made = await fixture()
    const raw = `0x${Buffer.of(...Buffer.from(login('bank.example')), 0xff).toString('hex')}`
    const signing = watch(made.more('signMessage', { message: { raw } }))
    await settle()
    expect(signing.error).toMatchObject({ code: 'invalid_message', details: { domain: 'bank.example' } })
  })

  test('is approved on the wallet page if the browser does not report the host page', async () => {
    const reviewed = async (message: string) => {
      const made = await fixture()
      Object.assign(made.settings(), { isHostUnnamed: true })
      await ask(made, message)
      await made.page.see(title)
      return made
    }
    expect((await reviewed('Hello')).page.gate()).toBe('waiting')
    const { page } = await reviewed(login('demo.localhost:4010'))
    expect(page.gate()).toBeUndefined()
    await page.see('You confirm this on a separate page, where nothing can cover it.')
  })

  test('at the requesting site can be approved', async () => {
    const made = await fixture()
    await ask(made, login('demo.localhost:4010'))
    await seeReview(made)
    expect(made.events).not.toContain('possible_phishing_attempt')
  })
})

describe('an approval is not accepted', () => {
  test('before the card was visible without movement for 700 ms', async () => {
    const made = await fixture()
    await ask(made)
    await approve(made)
    await made.page.notice([0, 350, 699].map((atMs) => looked(atMs)))
    await approve(made)
    expect(made.page.gate()).toBe('arming')
    await made.page.notice([looked(720)])
    expect(made.page.gate()).toBe('armed')
    expect(made.wallet.log).not.toContain('sign Hello')
  })

  test('right after a movement', async () => {
    const made = await fixture()
    await ask(made)
    await arm(made)
    await made.page.notice([looked(505, { card: { x: 100, y: 60, widthPx: 376, heightPx: 430 } })])
    await approve(made)
    expect(made.page.gate()).toBe('arming')
    expect(made.wallet.log).not.toContain('sign Hello')
  })
})

describe('the card', () => {
  test('shows the progress, and then the success until the user skips it', async () => {
    const signature = Promise.withResolvers<string>()
    const made = await fixture({ wallet: { signMessage: () => signature.promise } })
    await ask(made)
    await arm(made)
    await approve(made)
    expect(made.page.texts()).toContain('Signing')
    expect(made.view()?.held).toBe(false)
    signature.resolve('0xsigned')
    await made.page.see('Success')
    expect(made.view()?.held).toBe(true)
    made.stage.skip()
    await settle()
    expect(made.view()?.open).toBe(false)
  })

  test('appears at once, and the wallet connects in the meantime', async () => {
    const connected = Promise.withResolvers<void>()
    const made = await fixture({ wallet: { connect: () => connected.promise } })
    const signing = await ask(made)
    await seeReview(made)
    await arm(made)
    await approve(made)
    expect(made.page.texts()).toContain('Signing')
    expect(made.wallet.log).not.toContain('sign Hello')
    connected.resolve()
    await settle()
    expect(signing.value).toEqual({ signature: '0xsigned', address: walletAddress })
  })

  // spec W8.13
  test('shows that the wallet could not be recovered, even after an approval', async () => {
    const connected = Promise.withResolvers<void>()
    const made = await fixture({ wallet: { connect: () => connected.promise } })
    const signing = await ask(made)
    await arm(made)
    await approve(made)
    connected.reject(new LatchkeyError('server_unreachable', 'Nobody there'))
    await settle()
    await made.page.see('Unable to recover wallet')
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
  test('while the card is covered rejects as user rejected', async () => {
    const made = await fixture()
    const signing = await ask(made)
    await made.page.notice(seenFrom(0, { visible: false }))
    expect(made.page.gate()).toBe('hidden')
    await made.close()
    expect(signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })

  test('while the card is too small rejects as user rejected', async () => {
    const made = await fixture()
    const signing = await ask(made)
    await made.page.notice(seenFrom(0, { pixelRatio: 0.5 }))
    expect(made.page.gate()).toBe('unreadable')
    await made.close()
    expect(signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })

  test('while the signature is made has no effect', async () => {
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
  test('recovers automatically while the card shows the message', async () => {
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
    await made.page.see('Success')
    expect(made.events).toContain('embedded_wallet_pinless_recovery_started')
    expect(made.events).toContain('embedded_wallet_recovery_completed')
  })

  test('recovers without a screen if the share arrives before the approval', async () => {
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

  test('recovers a share that was lost between review and approval', async () => {
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
  await made.page.see(failure)
  await made.page.press('Try again')
  await made.page.see(title)
  expect(made.page.gate()).toBe('waiting')
  await arm(made)
  await approve(made)
  expect(signing.value).toMatchObject({ signature: '0xsecond' })
})

test('a retry ignores the connection and the window of the first attempt', async () => {
  const connections: PromiseWithResolvers<void>[] = []
  const windows: unknown[] = []
  let isReachable = false
  const made = await fixture({
    app: { testNetworks: [1] },
    wallet: {
      connect() {
        const connection = Promise.withResolvers<void>()
        connections.push(connection)
        return connection.promise
      },
      async confirm() {
        if (!isReachable) throw new LatchkeyError('server_unreachable', 'No answer')
        return confirmedIn('page')
      },
      offer: async ({ window }) => void windows.push(window),
    },
  })
  const call = { signal: new AbortController().signal, window: 'w'.repeat(43) }
  void made.more('signTypedData', { data: JSON.stringify(typedData(1)) }, call).catch(() => {})
  await made.page.see(failure)
  isReachable = true
  await made.page.press('Try again')
  connections[0]?.reject(new LatchkeyError('server_unreachable', 'No answer'))
  await settle()
  await made.page.openWalletWindow()
  expect(made.page.has(failure)).toBe(false)
  expect(windows).toEqual([undefined])
})

describe('a request', () => {
  // spec L8.55
  test.each(['', undefined])('is rejected with the message %j', async (message) => {
    const signing = (await fixture()).signMessage({ message: message as string })
    await expect(signing).rejects.toMatchObject({
      code: 'invalid_message',
      message: 'Message must be a non-empty string',
    })
  })

  test('is rejected with a text that cannot be encoded', async () => {
    const signing = (await fixture()).signMessage({ message: 'half \ud83d' })
    await expect(signing).rejects.toMatchObject({ code: 'invalid_message' })
  })

  test('is rejected for a visitor', async () => {
    const made = await makeFixture({})
    const signing = await ask(made)
    expect(signing.error).toMatchObject({ code: 'must_be_authenticated' })
    expect(made.frame).toEqual([])
  })

  test('is rejected for a user without a wallet', async () => {
    const signing = await ask(await fixture({}, visitorUser))
    expect(signing.error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })

  test('waits until the card of the request before it is closed', async () => {
    const made = await fixture()
    const first = await ask(made, 'first')
    const second = await ask(made, 'second')
    await made.page.see('first')
    await made.close()
    expect(first.settled).toBe(true)
    await made.page.see('second')
    expect(made.page.has('first')).toBe(false)
    expect(made.frame).toEqual(['show'])
    expect(second.settled).toBe(false)
  })

  test('is rejected if fifty requests wait already', async () => {
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

test('a logout ends a shown approval', async () => {
  const made = await fixture()
  const signing = await ask(made)
  await made.session.logout()
  await settle()
  expect(signing.error).toMatchObject({ code: 'must_be_authenticated' })
  expect(made.view()?.open).toBe(false)
})
