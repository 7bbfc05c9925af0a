/** Funding of a wallet: the result for the host page, the screens, and the requests to server and chain. */
import { type ClientConfig, LatchkeyError, type UserRecord } from '@latchkey/protocol'
import type { OnRampTransaction } from '@latchkey/protocol/api'
import { getByRole } from '@testing-library/dom'
import { describe, expect, test } from 'vitest'
import { chainUrl, makeFakeChain } from '../testing/chain.ts'
import { settle } from '../testing/clock.ts'
import {
  type Answers,
  type FixtureOptions,
  makeBrowser,
  makeFixture,
  refused,
  watch,
} from '../testing/fixture.ts'
import { makeAuthAnswer, makeToken, visitorUser, walletAddress, walletUser } from '../testing/fixtures.ts'
import { renderDialog } from '../testing/page.tsx'
import { fundingIn } from './funding/funding.ts'
import { capabilities } from './index.ts'
import { sendThrough } from './send/send.ts'

const PROMPT = 'FIAT_ON_RAMP_PROMPT_SCREEN'
const STATUS = 'FIAT_ON_RAMP_STATUS_SCREEN'
const RECEIVE = 'RECEIVE_FUNDS_SCREEN'
const PAY = 'Continue to MoonPay'
const RECEIVE_ROW = 'Receive from someone or from another wallet'
const external = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const live = 'https://buy.moonpay.com/'
const sandbox = 'https://buy-sandbox.moonpay.com/'
const ether = 10n ** 18n
const hex = (amount: bigint) => `0x${amount.toString(16)}`

type Options = Pick<FixtureOptions, 'addresses' | 'app' | 'config' | 'browser'> & {
  user?: UserRecord
  answers?: Answers
  /** Whether a press opens a window. */
  opens?: () => boolean
  chain?: ReturnType<typeof makeFakeChain>
}

async function open({ user = walletUser, answers, opens = () => true, ...options }: Options = {}) {
  const { chain = makeFakeChain(), browser = makeBrowser() } = options
  const tabs: string[] = []
  const responses = new Map<string, OnRampTransaction | Error>()
  let begun = 0
  const own = fundingIn({
    openTab(address) {
      tabs.push(address)
      return opens()
    },
    fetch: chain.fetch,
    prefersDark: () => false,
  })
  const fixture = await makeFixture({
    browser,
    answers: {
      logout: () => ({ success: true }),
      signFunding({ useSandbox }) {
        begun += 1
        return {
          signedUrl: `${useSandbox ? sandbox : live}?apiKey=a&signature=${begun}`,
          externalTransactionId: `payment_${begun}`,
        }
      },
      fundingStatus(): OnRampTransaction {
        const reference = fixture.transport.calls('fundingStatus').at(-1)?.query?.externalTransactionId
        const response = responses.get(reference ?? '') ?? responses.get('') ?? refused('not_found', 404)
        if (response instanceof Error) throw response
        return response
      },
      ...answers,
    },
    app: { fiatOnRampEnabled: true, rpcUrls: { 1: [chainUrl] }, ...options.app },
    addresses: options.addresses ?? { moonpay: live, moonpaySandbox: sandbox },
    ...(options.config && { config: options.config }),
    capabilities: capabilities.map((each) => {
      if (each.name === 'funding') return own
      return each.name === 'send' ? sendThrough(chain.fetch) : each
    }),
  })
  fixture.session.accept(makeAuthAnswer({ user, token: makeToken({ sub: user.id }) }))
  return {
    ...fixture,
    chain,
    tabs,
    page: renderDialog(fixture),
    /** Sets the status of one payment, or of all. */
    say: (next: OnRampTransaction | Error, reference = '') => void responses.set(reference, next),
    polls: () => fixture.transport.calls('fundingStatus').length,
    signed: () => fixture.transport.calls('signFunding').map(({ body }) => body),
  }
}
type Opened = Awaited<ReturnType<typeof open>>

async function fund(fixture: Opened, data: object = {}) {
  const asking = watch(fixture.more('fundWallet', { address: walletAddress, ...data }))
  await settle()
  return asking
}
async function pay(options: Options = {}) {
  const fixture = await open(options)
  const asking = await fund(fixture)
  await fixture.page.press(PAY)
  await settle()
  return { fixture, asking }
}
const findLink = (name: string) => getByRole(document.body, 'link', { name })
/** Follows a link, without the navigation. */
async function follow(name: string) {
  document.addEventListener('click', (event) => event.preventDefault(), { once: true })
  findLink(name).click()
  await settle()
}
const told = (status: OnRampTransaction['status'], more: Partial<OnRampTransaction> = {}) => ({
  status,
  ...more,
})
async function pass(fixture: Opened, ms = 3_000) {
  await fixture.clock.advance(ms)
  await settle()
}

describe('a call of fundWallet', () => {
  // spec W6.1
  test('is rejected for a visitor', async () => {
    const fixture = await open()
    await fixture.session.logout()
    expect((await fund(fixture)).error).toMatchObject({ code: 'must_be_authenticated' })
  })

  // spec W8.37, W3.13
  test.each<[string, Options]>([
    ['the app has it off', { app: { fiatOnRampEnabled: false } }],
    ['the page has it off', { config: { fiatOnRamp: { enabled: false } } }],
    [
      'the page has it on, and the app off',
      { app: { fiatOnRampEnabled: false }, config: { fiatOnRamp: { enabled: true } } },
    ],
  ])('is rejected without a card or a request: %s', async (_where, options) => {
    const fixture = await open(options)
    expect((await fund(fixture)).error).toMatchObject({
      code: 'not_supported',
      message: 'Fiat on-ramp is not enabled',
    })
    expect(fixture.signed()).toEqual([])
    expect(fixture.frame).toEqual([])
    expect(fixture.chain.asked).toEqual([])
  })

  // spec W8.38
  test('is rejected with an unknown provider', async () => {
    const fixture = await open()
    expect((await fund(fixture, { provider: 'coinbase' })).error).toMatchObject({
      code: 'not_supported',
      message: 'Unsupported fund provider: coinbase',
    })
    expect((await fund(fixture, { provider: 'moonpay' })).settled).toBe(false)
  })

  test('is rejected for an address of another user, and accepted for a linked one', async () => {
    const fixture = await open()
    expect((await fund(fixture, { address: external })).error).toMatchObject({
      code: 'linked_account_not_found',
    })
    const times = { verifiedAt: 1, firstVerifiedAt: 1, latestVerifiedAt: 1 }
    const linked = { type: 'wallet', address: external, chainType: 'ethereum', ...times } as const
    const other = await open({
      user: { ...visitorUser, linkedAccounts: [...visitorUser.linkedAccounts, linked] },
    })
    const asking = await fund(other, { address: external.toLowerCase() })
    expect(asking.settled).toBe(false)
    await other.page.see(PAY)
    expect(other.page.texts().join('')).toContain(external)
  })
})

describe('the prompt', () => {
  // spec W2.28, W2.29
  test('shows the provider, the method and the destination of the payment', async () => {
    const fixture = await open()
    await fund(fixture)
    await fixture.page.see(PAY)
    const read = fixture.page.texts()
    expect(read).toContain('Demo uses a card payment provider to fund your account')
    expect(
      read.filter((text) => /MoonPay, opens in a new tab|Pay by debit card|sent to your wallet/.test(text)),
    ).toHaveLength(3)
    expect(read).toContain('Continue to MoonPay')
    expect(read.join('')).toContain(walletAddress)
  })

  // spec W7.2, W7.3, W7.1
  test('requests a link with the default coin and the appearance of the dialog', async () => {
    const fixture = await open({ config: { appearance: { accentColor: '#112233', theme: 'dark' } } })
    await fund(fixture)
    expect(fixture.signed()).toEqual([
      {
        address: walletAddress,
        useSandbox: false,
        config: {
          defaultCurrencyCode: 'ETH_ETHEREUM',
          uiConfig: { accentColor: '#112233', theme: 'dark' },
          accentColor: '#112233',
          theme: 'dark',
        },
      },
    ])
  })

  // spec W7.3
  test('uses the appearance of the app without one of the host, and the options of the call first', async () => {
    const ofApp = await open({ app: { fiatOnRampEnabled: true, accentColor: '#445566', theme: 'light' } })
    await fund(ofApp)
    expect(ofApp.signed()).toMatchObject([{ config: { accentColor: '#445566', theme: 'light' } }])
    const named = await open()
    await fund(named, {
      config: { currencyCode: 'USDC_BASE', quoteCurrencyAmount: 20, uiConfig: { theme: 'dark' } },
    })
    expect(named.signed()).toMatchObject([
      { config: { currencyCode: 'USDC_BASE', quoteCurrencyAmount: 20, theme: 'dark' } },
    ])
    expect(Object.keys(Object(named.signed()[0]).config)).not.toContain('defaultCurrencyCode')
  })

  // spec W3.13
  test('uses the sandbox of the provider if the host requests it', async () => {
    const { fixture } = await pay({ config: { fiatOnRamp: { useSandbox: true } } })
    expect(fixture.signed()[0]).toMatchObject({ useSandbox: true })
    expect(fixture.tabs).toEqual([`${sandbox}?apiKey=a&signature=1`])
  })

  // spec W2.28
  test('opens the provider during the press', async () => {
    const fixture = await open()
    await fund(fixture)
    expect(fixture.tabs).toEqual([])
    const button = getByRole(document.body, 'button', { name: PAY })
    // The press opens the window synchronously, and a second press opens no other.
    button.click()
    expect(fixture.tabs).toEqual([`${live}?apiKey=a&signature=1`])
    button.click()
    expect(fixture.tabs).toHaveLength(1)
    await fixture.page.see('In Progress')
    expect(fixture.page.has('Open MoonPay')).toBe(false)
    expect(fixture.events).toContain('sdk_fiat_on_ramp_started')
  })

  test('shows a link if the browser blocked the window', async () => {
    const { fixture } = await pay({ opens: () => false })
    await fixture.page.see('Your browser blocked the provider’s page. Open it here.')
    expect(findLink('Open MoonPay').getAttribute('href')).toBe(`${live}?apiKey=a&signature=1`)
    await follow('Open MoonPay')
    await fixture.page.see('In Progress')
    await pass(fixture)
    expect(fixture.transport.calls('fundingStatus')[0]?.query).toEqual({ externalTransactionId: 'payment_1' })
  })

  test('continues with a link if the host page isolates its windows', async () => {
    const { fixture } = await pay({
      opens: () => false,
      app: { fiatOnRampEnabled: true, crossOriginOpenerPolicy: 'same-origin' },
    })
    await fixture.page.see('In Progress')
    expect(findLink('Open MoonPay').getAttribute('href')).toBe(`${live}?apiKey=a&signature=1`)
  })

  test('shows that the payment could not be prepared, and tries again', async () => {
    let isUp = false
    const fixture = await open({
      answers: {
        signFunding() {
          if (!isUp) throw refused('invalid_data', 422)
          return { signedUrl: `${live}?apiKey=a`, externalTransactionId: 'payment_9' }
        },
      },
    })
    await fund(fixture)
    await fixture.page.see('The payment could not be prepared.')
    isUp = true
    await fixture.page.press('Try again')
    await fixture.page.press(PAY)
    expect(fixture.tabs).toEqual([`${live}?apiKey=a`])
  })

  test('opens addresses of the provider only', async () => {
    const fixture = await open({
      answers: {
        signFunding: () => ({ signedUrl: 'https://evil.example/?a', externalTransactionId: 'payment_9' }),
      },
    })
    await fund(fixture)
    await fixture.page.see('The payment could not be prepared.')
  })

  test('rejects the call if the user closes it before the payment', async () => {
    const fixture = await open()
    const asking = await fund(fixture)
    await fixture.page.press('Close')
    expect(asking.error).toMatchObject({ code: 'user_rejected_request' })
  })
})

describe('the status of a payment', () => {
  // spec W4.23, W7.5
  test('is read every 3 s, even if the provider does not know the payment yet', async () => {
    const { fixture } = await pay()
    await pass(fixture, 2_999)
    expect(fixture.polls()).toBe(0)
    await pass(fixture, 1)
    expect(fixture.polls()).toBe(1)
    for (let turn = 2; turn <= 10; turn += 1) {
      await pass(fixture)
      expect(fixture.polls()).toBe(turn)
    }
    expect(fixture.page.has('In Progress')).toBe(true)
  })

  // spec W2.30, W3.11, W4.26, W4.27, W4.28, W4.29, W4.30
  test.each([
    ['completed', "You've funded your account!", /may take a few minutes/, 'Continue'],
    ['failed', 'Something went wrong!', /MoonPay support.*Debit cards often work better/, 'Done'],
    ['waitingAuthorization', 'Processing payment', /may take a few hours.*an email/, 'Continue'],
    ['pending', 'In Progress', /Finish your payment/, undefined],
  ] as const)('%s is seen as %s', async (status, title, detail, button) => {
    const { fixture } = await pay()
    fixture.say(told(status, { paymentMethod: 'ach_bank_transfer' }))
    await pass(fixture)
    await fixture.page.see(title)
    const read = fixture.page.texts()
    expect(read).toContain('Fund account')
    expect(read.some((text) => detail.test(text))).toBe(true)
    const buttons = ['Continue', 'Done'].filter((name) => fixture.page.hasButton(name))
    expect(buttons).toEqual(button === undefined ? [] : [button])
  })

  // spec W3.11, W4.25, W4.28
  test('is a failure after three errors, and a 404 is not an error', async () => {
    const { fixture } = await pay()
    const failing = refused('unavailable', 503)
    for (const said of [failing, refused('not_found', 404), failing, refused('not_found', 404)]) {
      fixture.say(said)
      await pass(fixture)
      expect(fixture.page.has('In Progress')).toBe(true)
    }
    fixture.say(new LatchkeyError('server_unreachable', 'Nobody is there'))
    await pass(fixture)
    await fixture.page.see('Provider error')
    expect(fixture.page.hasButton('Done')).toBe(true)
    const before = fixture.polls()
    await pass(fixture)
    expect(fixture.polls()).toBe(before)
  })

  test.each([
    ['completed', 'Continue', { status: 'completed' }],
    ['failed', 'Done', { status: 'failed' }],
  ] as const)('%s is told to the page once its user presses %s', async (status, button, answer) => {
    const { fixture, asking } = await pay()
    fixture.say(told(status))
    expect(fixture.events).not.toContain('sdk_fiat_on_ramp_completed_with_status')
    await pass(fixture)
    await pass(fixture)
    expect(fixture.polls()).toBe(1)
    expect(fixture.events).toContain('sdk_fiat_on_ramp_completed_with_status')
    expect(asking.settled).toBe(false)
    await fixture.page.press(button)
    await settle()
    expect(asking.value).toEqual(answer)
    // The status stays visible while the card closes.
    expect(fixture.view()).toMatchObject({ open: false, screen: { name: STATUS } })
  })

  test('continues after the card was closed and opened again', async () => {
    const { fixture, asking } = await pay()
    await fixture.page.press('Close')
    expect(asking.value).toEqual({ status: 'pending' })
    await pass(fixture, 200)
    fixture.say(told('completed'))
    await fund(fixture)
    await fixture.page.see('In Progress')
    expect(fixture.screen()).toBe(STATUS)
    await pass(fixture)
    expect(fixture.transport.calls('fundingStatus').at(-1)?.query).toEqual({
      externalTransactionId: 'payment_1',
    })
    await fixture.page.see("You've funded your account!")
    await fixture.page.press('Continue')
    await pass(fixture, 200)
    await fund(fixture)
    expect(fixture.screen()).toBe(PROMPT)
  })

  test('returns to the prompt if it continued a payment', async () => {
    const { fixture } = await pay()
    await fixture.page.press('Close')
    await pass(fixture, 200)
    await fund(fixture)
    await fixture.page.see('In Progress')
    await fixture.page.press('Back')
    await fixture.page.see(PAY)
    expect(fixture.screen()).toBe(PROMPT)
  })

  test('is not continued for a payment that an email completes', async () => {
    const { fixture } = await pay()
    fixture.say(told('waitingAuthorization', { paymentMethod: 'ach_bank_transfer' }))
    await pass(fixture)
    await fixture.page.press('Continue')
    await pass(fixture, 200)
    await fund(fixture)
    expect(fixture.screen()).toBe(PROMPT)
  })

  test('continues in another tab of the same user only', async () => {
    const browser = makeBrowser()
    const { fixture } = await pay({ browser })
    await fixture.close()
    const second = await open({ browser })
    await fund(second)
    expect(second.screen()).toBe(STATUS)
    const other = await open({ browser, user: { ...walletUser, id: 'user-2' } })
    await fund(other)
    expect(other.screen()).toBe(PROMPT)
  })

  test('starts again after a day', async () => {
    const { fixture } = await pay()
    await fixture.close()
    await fixture.clock.advance(24 * 60 * 60 * 1_000)
    await fund(fixture)
    expect(fixture.screen()).toBe(PROMPT)
  })

  test('starts another payment after the user went back', async () => {
    const { fixture } = await pay()
    await fixture.page.press('Back')
    expect(fixture.screen()).toBe(PROMPT)
    await fixture.page.press(PAY)
    await settle()
    fixture.say(told('failed'), 'payment_1')
    expect(fixture.tabs).toEqual([`${live}?apiKey=a&signature=1`, `${live}?apiKey=a&signature=2`])
    await pass(fixture)
    expect(fixture.transport.calls('fundingStatus').at(-1)?.query).toEqual({
      externalTransactionId: 'payment_2',
    })
    expect(fixture.page.has('In Progress')).toBe(true)
  })

  test('shows the arrival that the chain reports, even if the provider fails', async () => {
    const chain = makeFakeChain({ eth_getBalance: () => hex(ether) })
    const { fixture } = await pay({ chain })
    fixture.say(refused('unavailable', 503))
    chain.answer('eth_getBalance', () => hex(ether + 1n))
    await pass(fixture, 4_000)
    await fixture.page.see('Your funds have arrived')
  })
})

describe('receiving', () => {
  test('shows the address, the network and a warning about other networks', async () => {
    const fixture = await open()
    await fund(fixture)
    await fixture.page.press(RECEIVE_ROW)
    await fixture.page.see('Ethereum')
    const read = fixture.page.texts()
    expect(read.join('')).toContain(walletAddress)
    expect(read).toContain('Send only on Ethereum. Anything sent on another network may be lost.')
  })

  test('shows the received amount', async () => {
    const chain = makeFakeChain({ eth_getBalance: () => hex(ether) })
    const fixture = await open({ chain })
    const asking = await fund(fixture)
    await fixture.page.press(RECEIVE_ROW)
    await pass(fixture, 4_000)
    expect(fixture.page.has('This page shows when something arrives.')).toBe(true)
    chain.answer('eth_getBalance', () => hex(ether + ether / 2n))
    await pass(fixture, 4_000)
    await fixture.page.see('0.5 ETH arrived')
    await fixture.page.press('Done')
    await settle()
    expect(asking.value).toEqual({ status: null })
  })

  test('is the only choice if the operator has no provider keys', async () => {
    const fixture = await open({ addresses: {} })
    await fund(fixture)
    expect(fixture.screen()).toBe(RECEIVE)
    expect(fixture.signed()).toEqual([])
  })

  test('links to a faucet on test networks only', async () => {
    const addresses = { faucet1: 'https://faucet.example/1' }
    const app = { fiatOnRampEnabled: true, rpcUrls: { 1: [chainUrl] } }
    const onTest = await open({ addresses, app: { ...app, testNetworks: [1] } })
    await fund(onTest)
    await onTest.page.see('Get test coins')
    expect(document.querySelector('a[href="https://faucet.example/1"]')).not.toBeNull()
    const elsewhere = await open({ addresses, app })
    await fund(elsewhere)
    await elsewhere.page.see('Ethereum')
    expect(elsewhere.page.has('Get test coins')).toBe(false)
  })
})

describe('a transaction with insufficient funds', () => {
  const to = external
  // The value, and 21,000 of gas at most 3 gwei.
  const needed = ether / 10n + 21_000n * 3_000_000_000n
  async function lacking(options: Options = {}, balance = needed - 5n * 10n ** 16n, chainId = 1) {
    const chain = makeFakeChain({ eth_getBalance: () => hex(balance) })
    const fixture = await open({ chain, ...options })
    const sending = watch(
      fixture.more('sendTransaction', { transaction: { to, value: ether / 10n, chainId }, ui: {} }),
    )
    await settle()
    return { fixture, chain, sending }
  }

  // spec W2.23, W8.15
  test('offers to add funds, and shows the missing amount', async () => {
    const { fixture } = await lacking()
    await fixture.page.see('Add Funds')
    const read = fixture.page.texts()
    expect(read).toContain('Add funds on Ethereum to complete the transaction.')
    expect(read).toContain('Add Funds')
    expect(read).toContain('0.05 ETH')
    expect(read).not.toContain('Wallet has insufficient funds on this network for this transaction.')
  })

  // spec W2.23, W8.15
  test.each<[string, ClientConfig | undefined, boolean]>([
    ['the app has it off', undefined, false],
    ['the page has it off', { fiatOnRamp: { enabled: false } }, true],
  ])('offers nothing where %s', async (_where, config, fiatOnRampEnabled) => {
    const { fixture } = await lacking({
      app: { fiatOnRampEnabled, rpcUrls: { 1: [chainUrl] } },
      ...(config && { config }),
    })
    await fixture.page.see('Wallet has insufficient funds on this network for this transaction.')
    expect(fixture.page.has('Add Funds')).toBe(false)
  })

  // spec W2.23
  test('offers nothing once the balance covers value and fees exactly', async () => {
    const { fixture } = await lacking({}, needed)
    await fixture.page.see('Submit')
    expect(fixture.page.has('Add Funds')).toBe(false)
  })

  test('returns to the review once enough has arrived, regardless of the payment status', async () => {
    const { fixture, chain } = await lacking()
    await fixture.page.press('Add Funds')
    await settle()
    await fixture.page.see('You need 0.05 ETH more for your transaction.')
    expect(fixture.signed()).toMatchObject([
      { config: { defaultCurrencyCode: 'ETH_ETHEREUM', quoteCurrencyAmount: 0.05 } },
    ])
    await fixture.page.press(PAY)
    await settle()
    fixture.say(told('failed'))
    await pass(fixture)
    await fixture.page.see('Something went wrong!')
    chain.answer('eth_getBalance', () => hex(needed - 1n))
    await pass(fixture, 4_000)
    expect(fixture.screen()).toBe(STATUS)
    chain.answer('eth_getBalance', () => hex(needed))
    await pass(fixture, 4_000)
    await fixture.page.see('Submit')
    expect(fixture.page.has('Add Funds')).toBe(false)
  })

  test('returns to its review if the user goes back', async () => {
    const { fixture } = await lacking()
    await fixture.page.press('Add Funds')
    await settle()
    await fixture.page.press('Back')
    await fixture.page.see('Add Funds')
  })

  test('offers no purchase on another network', async () => {
    const app = { fiatOnRampEnabled: true, rpcUrls: { 31337: [chainUrl] } }
    const { fixture } = await lacking({ app }, undefined, 31_337)
    await fixture.page.press('Add Funds')
    await settle()
    expect(fixture.screen()).toBe(RECEIVE)
    expect(fixture.signed()).toEqual([])
  })
})
