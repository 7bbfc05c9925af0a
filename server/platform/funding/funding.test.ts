/** Tests card payments over HTTP, with the sandbox's MoonPay. */

import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test as it } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { linkAccount } from '../../identity/users/users.ts'
import { createForget } from '../../kernel/capability.ts'
import { parseConfig } from '../../kernel/config.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { appWith } from '../../testing/app.ts'
import { funding } from './capability.ts'
import { fundingEnvironment } from './environment.ts'
import { createMoonPay } from './moonpay/moonpay.ts'
import { type FundingFixture, fundingFixture, live, openMoonPay, test } from './testing/fixture.ts'

const sandbox = await openMoonPay()
afterEach(() => sandbox.setFault('none'))

const off = { status: 400, answer: { error: 'Fiat on-ramp is not enabled', code: 'not_supported' } }
const notYet = { status: 404, answer: { code: 'not_found' } }
const external = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'

forDefaultEngine((database) => {
  let fixture: FundingFixture
  beforeEach(async () => {
    fixture = await fundingFixture(database(), sandbox)
  })

  describe('the URL of a payment', () => {
    // spec W7.1, W7.2
    it("is signed with the account's secret, for a wallet of the user, with our reference", async () => {
      const { url, reference } = await fixture.begin()
      expect(url.href.split('?')[0]).toBe(`${sandbox.hostsUrl}/buy-sandbox.moonpay.com/`)
      expect([...url.searchParams.keys()]).toEqual([
        'apiKey',
        'defaultCurrencyCode',
        'walletAddress',
        'externalTransactionId',
        'signature',
      ])
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        apiKey: 'pk_test_sandbox',
        // ETH_ETHEREUM in MoonPay's notation.
        defaultCurrencyCode: 'eth',
        walletAddress: fixture.address,
        externalTransactionId: reference,
      })
      expect(reference).toMatch(/^[A-Za-z0-9_-]{24}$/)
      const signedPart = url.search.slice(0, url.search.indexOf('&signature='))
      expect(url.searchParams.get('signature')).toBe(
        createHmac('sha256', 'sk_test_sandbox').update(signedPart).digest('base64'),
      )
      expect((await fetch(url)).status).toBe(200)
      expect((await fixture.begin()).reference).not.toBe(reference)
    })

    it('is that of real payments unless test mode is requested', async () => {
      const { url } = await fixture.begin({ useSandbox: false })
      expect(url.pathname).toBe('/moonpay/buy.moonpay.com/')
      expect(url.searchParams.get('apiKey')).toBe('pk_live_sandbox')
      expect((await fetch(url)).status).toBe(200)
    })

    // spec W7.2
    it('names the currency that the page requests', async () => {
      const { url } = await fixture.begin({
        config: {
          currencyCode: 'USDC_BASE',
          quoteCurrencyAmount: 12.5,
          paymentMethod: 'credit_debit_card',
          uiConfig: { accentColor: '#112233', theme: 'dark' },
        },
      })
      expect(Object.fromEntries(url.searchParams)).toMatchObject({
        currencyCode: 'usdc_base',
        quoteCurrencyAmount: '12.5',
        paymentMethod: 'credit_debit_card',
        colorCode: '#112233',
        theme: 'dark',
      })
      expect(url.searchParams.has('defaultCurrencyCode')).toBe(false)
      expect((await fetch(url)).status).toBe(200)
    })

    // spec W7.3
    it("has the app's colour and colour scheme unless the page sets them", async () => {
      await setFields(fixture.context.db, fixture.context.clock, fixture.app.id, [
        ['accent_color', '#445566'],
        ['theme', 'light'],
      ])
      fixture.context.clock.advanceSeconds(5)
      const ofApp = await fixture.begin()
      expect(ofApp.url.searchParams.get('colorCode')).toBe('#445566')
      expect(ofApp.url.searchParams.get('theme')).toBe('light')
      const ofPage = await fixture.begin({ config: { accentColor: '#778899', theme: 'dark' } })
      expect(ofPage.url.searchParams.get('colorCode')).toBe('#778899')
      expect(ofPage.url.searchParams.get('theme')).toBe('dark')
    })

    it('is the same for a repeated call', async () => {
      const first = await fixture.sign({}, fixture.session, 'begun-once')
      expect((await fixture.sign({}, fixture.session, 'begun-once')).answer).toEqual(first.answer)
      expect((await fixture.sign({}, fixture.session, 'begun-twice')).answer).not.toEqual(first.answer)
    })

    // spec W7.4
    it("accepts only the user's addresses, in any case, embedded or linked", async () => {
      const refused = { status: 404, answer: { code: 'linked_account_not_found' } }
      expect(await fixture.sign({ address: external })).toMatchObject(refused)
      const { context, app, session } = fixture
      await context.transaction((trx) =>
        linkAccount(
          trx,
          context,
          { appId: app.id, userId: session.user.id, sessionId: 'of a test' },
          {
            type: 'wallet',
            identifier: external.toLowerCase(),
            profile: { address: external, chainType: 'ethereum', chainId: 'eip155:1' },
          },
        ),
      )
      expect(await fixture.sign({ address: external })).toMatchObject({ status: 200 })
      const { url } = await fixture.begin({ address: fixture.address.toLowerCase() })
      expect(url.searchParams.get('walletAddress')).toBe(fixture.address)
      // The user's addresses belong to no other user.
      const other = await fixture.browser.login('eve@example.com')
      expect(await fixture.sign({ address: external }, other)).toMatchObject(refused)
    })

    // spec W8.37
    it("is not created if the app disabled payments, or without the operator's keys", async () => {
      await fixture.enable(false)
      expect(await fixture.sign()).toMatchObject(off)
      await fixture.enable(true)
      expect(await fixture.sign()).toMatchObject({ status: 200 })
      fixture.provide({ live })
      expect(await fixture.sign()).toMatchObject(off)
      expect(await fixture.sign({ useSandbox: false })).toMatchObject({ status: 200 })
    })

    it('is created at most thirty times a day', async () => {
      for (let turn = 0; turn < 30; turn += 1) expect(await fixture.sign()).toMatchObject({ status: 200 })
      expect(await fixture.sign()).toMatchObject({ status: 429, answer: { code: 'too_many_requests' } })
      fixture.context.clock.advanceSeconds(86_400)
      const session = await fixture.browser.login('ada@example.com')
      expect(await fixture.sign({}, session)).toMatchObject({ status: 200 })
    })
  })

  describe('the status of a payment', () => {
    // spec W3.10, W7.5
    it('is unknown until the provider has it, then returns the API status', async () => {
      const { reference } = await fixture.begin()
      expect(await fixture.status(reference)).toMatchObject(notYet)
      await sandbox.pay(reference, { status: 'pending' })
      expect(await fixture.status(reference)).toMatchObject({
        status: 200,
        answer: {
          status: 'pending',
          paymentMethod: 'credit_debit_card',
          cardPaymentType: 'card',
          currency: { code: 'eth' },
          baseCurrencyAmount: 50,
          quoteCurrencyAmount: 0.02,
          feeAmount: 2.25,
          extraFeeAmount: 0,
          networkFeeAmount: 0.5,
        },
      })
    })

    // spec W3.11, W4.24, W4.30
    it.each([
      ['completed', 'completed'],
      ['failed', 'failed'],
      ['waitingAuthorization', 'waitingAuthorization'],
      ['awaitingAuthorization', 'awaitingAuthorization'],
      ['pending', 'pending'],
      ['waitingPayment', 'pending'],
    ])('%s is returned as %s', async (status, told) => {
      const { reference } = await fixture.begin()
      await sandbox.pay(reference, { status })
      expect(await fixture.status(reference)).toMatchObject({ status: 200, answer: { status: told } })
    })

    // spec W7.5
    it('is requested with the key of its mode: test or real', async () => {
      const real = await fixture.begin({ useSandbox: false })
      await sandbox.pay(real.reference, { status: 'completed' })
      expect(await fixture.status(real.reference)).toMatchObject(notYet)
      await sandbox.pay(real.reference, { status: 'completed', live: true })
      expect(await fixture.status(real.reference)).toMatchObject({ answer: { status: 'completed' } })
    })

    it('is visible to its own user only', async () => {
      const { reference } = await fixture.begin()
      await sandbox.pay(reference, { status: 'completed' })
      const other = await fixture.browser.login('eve@example.com')
      expect(await fixture.status(reference, other)).toMatchObject(notYet)
      expect(await fixture.status(reference)).toMatchObject({ status: 200 })
      expect(await fixture.status('of_nobody')).toMatchObject(notYet)
    })

    it.each(['failing', 'garbage', 'too-many-requests'])(
      'is unavailable while the provider is %s, and not unknown',
      async (fault) => {
        const { reference } = await fixture.begin()
        await sandbox.setFault(fault)
        expect(await fixture.status(reference)).toMatchObject({
          status: 503,
          answer: { code: 'unavailable' },
        })
        await sandbox.setFault('none')
        expect(await fixture.status(reference)).toMatchObject(notYet)
      },
    )

    it('is unknown if the response contains no payment', async () => {
      const { reference } = await fixture.begin()
      await sandbox.setFault('empty')
      expect(await fixture.status(reference)).toMatchObject(notYet)
    })

    it('is deleted with its user', async () => {
      const { reference } = await fixture.begin()
      const { context, app, session } = fixture
      await context.transaction((trx) =>
        createForget([funding])(trx, {
          appId: app.id,
          userId: session.user.id,
          identifiers: [],
          nowSeconds: 0,
        }),
      )
      await sandbox.pay(reference, { status: 'completed' })
      expect(await fixture.status(reference)).toMatchObject(notYet)
    })
  })

  describe('a webhook', () => {
    const said = (reference: string, status: string, at = '2025-12-31T10:00:00.000Z') => ({
      externalTransactionId: reference,
      status,
      updatedAt: at,
      paymentMethod: 'credit_debit_card',
      currency: { code: 'eth' },
    })

    it('a signed one is accepted without a request to the provider', async () => {
      const { reference } = await fixture.begin()
      expect(await fixture.tell(said(reference, 'completed'))).toBe(200)
      const before = await sandbox.looked()
      expect(await fixture.status(reference)).toMatchObject({ status: 200, answer: { status: 'completed' } })
      expect(await sandbox.looked()).toBe(before)
    })

    it('is rejected with another key, a changed body, no signature, or an old one', async () => {
      const { reference } = await fixture.begin()
      const now = Math.floor(fixture.context.clock.nowMs() / 1_000)
      const word = said(reference, 'completed')
      for (const wrong of [
        { key: 'wk_of_nobody' },
        // Valid for real payments, but this is a test payment.
        { sent: JSON.stringify({ type: 'transaction_updated', data: said(reference, 'failed') }) },
        { header: '' },
        { header: `t=${now}` },
        { header: `t=${now},s=${'0'.repeat(64)}` },
        { atSeconds: now - 301 },
        { atSeconds: now + 301 },
      ]) {
        expect(await fixture.tell(word, wrong)).toBe(422)
      }
      expect(await fixture.status(reference)).toMatchObject(notYet)
      expect(await fixture.tell(word, { atSeconds: now - 299 })).toBe(200)
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'completed' } })
    })

    it('cannot change a test payment with the key of real payments', async () => {
      const { reference } = await fixture.begin()
      expect(await fixture.tell(said(reference, 'completed'), { key: live.webhook })).toBe(200)
      expect(await fixture.status(reference)).toMatchObject(notYet)
    })

    it('changes nothing if it is repeated, or older than the stored status', async () => {
      const { reference } = await fixture.begin()
      await fixture.tell(said(reference, 'waitingAuthorization', '2025-12-31T10:00:02.000Z'))
      await fixture.tell(said(reference, 'pending', '2025-12-31T10:00:01.000Z'))
      await fixture.tell(said(reference, 'pending', '2025-12-31T10:00:02.000Z'))
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'waitingAuthorization' } })
      await fixture.tell(said(reference, 'completed', '2025-12-31T10:00:03.000Z'))
      await fixture.tell(said(reference, 'completed', '2025-12-31T10:00:03.000Z'))
      await fixture.tell(said(reference, 'pending', '2025-12-31T10:00:04.000Z'))
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'completed' } })
    })

    it('is replaced by a later notice, even if its date was in the year 9999', async () => {
      const { reference } = await fixture.begin()
      await fixture.tell(said(reference, 'pending', '9999-12-31T00:00:00.000Z'))
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'pending' } })
      fixture.context.clock.advanceSeconds(1)
      const at = new Date(fixture.context.clock.nowMs()).toISOString()
      await fixture.tell(said(reference, 'completed', at))
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'completed' } })
    })

    it('with a status that is not final is followed by a request after 30 s', async () => {
      const { reference } = await fixture.begin()
      await fixture.tell(said(reference, 'pending'))
      await sandbox.pay(reference, { status: 'completed' })
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'pending' } })
      fixture.context.clock.advanceSeconds(31)
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'completed' } })
      await sandbox.setFault('failing')
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'pending' } })
    })

    it('accepts a notice about an unknown payment or another topic without a change', async () => {
      expect(await fixture.tell(said('of_nobody', 'completed'))).toBe(200)
      expect(await fixture.tell({ what: 'else' })).toBe(200)
      expect(await fixture.tell(said('of_nobody', 'completed'), { type: 'identity_check_updated' })).toBe(200)
    })

    it('is rejected if the operator configured no webhook key', async () => {
      fixture.provide({ test: { ...test, webhook: undefined } })
      const { reference } = await fixture.begin()
      expect(await fixture.tell(said(reference, 'completed'))).toBe(422)
      await sandbox.pay(reference, { status: 'failed' })
      expect(await fixture.status(reference)).toMatchObject({ answer: { status: 'failed' } })
    })
  })
})

describe('the environment', () => {
  const read = (environment: Record<string, string>) =>
    fundingEnvironment.read(parseConfig(environment, [fundingEnvironment]))

  it('accepts keys of both modes, with and without a webhook key', () => {
    expect(
      read({ MOONPAY_LIVE: 'pk_live_a:sk_live_b:wk_live_c', MOONPAY_SANDBOX: 'pk_test_a:sk_test_b' }),
    ).toMatchObject({
      MOONPAY_LIVE: { publishable: 'pk_live_a', secret: 'sk_live_b', webhook: 'wk_live_c' },
      MOONPAY_SANDBOX: { publishable: 'pk_test_a', secret: 'sk_test_b', webhook: undefined },
    })
  })

  it.each([
    ['MOONPAY_LIVE', 'pk_test_a:sk_test_b'],
    ['MOONPAY_LIVE', 'sk_live_b:pk_live_a'],
    ['MOONPAY_SANDBOX', 'pk_live_a:sk_live_b'],
    ['MOONPAY_HOSTS_URL', 'http://elsewhere.example'],
    ['FAUCET_URLS', 'https://faucet.example'],
    ['FAUCET_URLS', '1=http://faucet.example'],
    ['FAUCET_URLS', '1=javascript:alert(1)'],
  ])('%s=%s is rejected by its name', (name, value) => {
    expect(() => read({ [name]: value })).toThrow(name)
  })
})

describe("the dialog's settings", () => {
  const config = parseConfig(
    {
      MOONPAY_SANDBOX: 'pk_test_a:sk_test_b',
      FAUCET_URLS: '31337=https://faucet.example/a 1=https://faucet.example/b',
    },
    [fundingEnvironment],
  )
  const addresses = (app: object) => funding.addresses?.(appWith(app), config)

  it('are absent if the app disabled payments', () => {
    expect(addresses({ testNetworks: [31337] })).toEqual({})
  })

  it("contain the provider's origin, and the faucets of its test networks", () => {
    expect(addresses({ fiatOnRampEnabled: true, testNetworks: [31337] })).toEqual({
      moonpaySandbox: 'https://buy-sandbox.moonpay.com/',
      faucet31337: 'https://faucet.example/a',
    })
  })
})

it.each([
  ['ETH_ETHEREUM', 'eth'],
  ['USDC_ETHEREUM', 'usdc'],
  ['ETH_ARBITRUM', 'eth_arbitrum'],
  ['USDC_BASE', 'usdc_base'],
  ['SOL_SOLANA', 'sol'],
  ['eth', 'eth'],
])('%s is %s at MoonPay', (ours, theirs) => {
  const keys = { publishable: 'pk_live_1', secret: 'sk_live_1', webhook: undefined }
  const { url } = createMoonPay({ live: keys, test: undefined }).createSession({
    reference: 'a-payment',
    address: '0x1',
    isTest: false,
    config: { currencyCode: ours },
  })
  expect(new URL(url).searchParams.get('currencyCode')).toBe(theirs)
})
