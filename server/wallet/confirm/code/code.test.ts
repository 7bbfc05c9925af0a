/** Tests the approval by a code that describes the request, on a page that the app's opener policy cuts off. */
import type { WalletRpcRequest } from '@latchkey/protocol/wallet'
import * as OTPAuth from 'otpauth'
import * as v from 'valibot'
import { encodeFunctionData, erc20Abi, getAddress } from 'viem'
import { beforeEach, describe, expect, test } from 'vitest'
import { enrolledMethod } from '../../../account/verification/testing/enrolled.ts'
import { consumeSend } from '../../../identity/codes/quotas.ts'
import { mailer } from '../../../integrations/mail/mail.ts'
import { smsTexter, type TextResult } from '../../../integrations/sms/sms.ts'
import { forDefaultEngine } from '../../../kernel/db/test-engines.ts'
import { orderCodeFor } from '../confirmations.ts'
import { newHandle } from '../testing/confirming.ts'
import { type ConfirmFixture, confirmFixture, oneEther, pricedToken, somebody } from '../testing/fixture.ts'
import { cowOrder } from '../testing/orders.ts'
import { maskAddress, maskNumber, type OrderedCode } from './code.ts'

const unknown = { status: 404, answer: { code: 'not_found' } }
const wrong = { status: 422, answer: { code: 'invalid_credentials' } }

test.each([
  ['ada@example.com', 'a•••@example.com'],
  ['a@example.com', 'a•••@example.com'],
  ['"a@b"@example.com', '"•••@example.com'],
  ['@example.com', '•••@example.com'],
])('%s is masked as %s', (address, masked) => {
  expect(maskAddress(address)).toBe(masked)
})

test('a phone number is masked except for its last four digits', () => {
  expect(maskNumber('+1 2025550123')).toBe('•••0123')
})

forDefaultEngine((database) => {
  let fixture: ConfirmFixture
  beforeEach(async () => {
    fixture = await confirmFixture(database())
    await fixture.set(['cross_origin_opener_policy', 'same-origin'])
    fixture.context.mails.length = 0
  })
  const mails = () => fixture.context.mails
  const codeOf = (at = -1) => v.parse(v.string(), /^\d{6}$/m.exec(mails().at(at)?.text ?? '')?.[0])
  const textOf = () => mails().at(-1)?.text ?? ''
  const send = (handle: string) =>
    fixture.browser.call('sendConfirmationCode', { body: { handle }, proof: 'none' })
  const decide = (handle: string, digest: string, code: string) =>
    fixture.decideBy({ handle, digest, decision: 'approve', code })
  const wrongFor = (code: string) => (code === '000000' ? '111111' : '000000')

  async function waiting(
    request: WalletRpcRequest = fixture.transaction({ to: somebody, value: oneEther, data: '0x' }),
  ) {
    const handle = newHandle()
    const { answer } = await fixture.put(request, { handle, place: 'page' })
    return { handle, digest: v.parse(v.object({ digest: v.string() }), answer).digest }
  }

  test("goes to the user's address, and approves only its request", async () => {
    const [one, other] = [await waiting(), await waiting()]
    expect(await send(one.handle)).toMatchObject({
      status: 200,
      answer: { by: 'mail', sent_to: 'a•••@example.com' },
    })
    expect(mails().map(({ to }) => to)).toEqual(['ada@example.com'])
    expect(await decide(other.handle, other.digest, codeOf())).toMatchObject(wrong)
    expect(await decide(one.handle, one.digest, wrongFor(codeOf()))).toMatchObject(wrong)
    expect(await fixture.status(one.handle)).toMatchObject({ answer: { state: 'open' } })
    expect(await decide(one.handle, one.digest, codeOf())).toMatchObject({ answer: { state: 'approved' } })
    expect(await fixture.release(await fixture.tokenFor(one.handle))).toMatchObject({ status: 200 })
    expect(await fixture.status(other.handle)).toMatchObject({ answer: { state: 'open' } })
  })

  test('is the fixed code of a test account, which gets no mail', async () => {
    await fixture.set(['test_accounts', [{ identifier: 'ada@example.com', code: '424242' }]])
    const { handle, digest } = await waiting()
    expect(await send(handle)).toMatchObject({
      status: 200,
      answer: { by: 'mail', sent_to: 'a•••@example.com' },
    })
    expect(mails()).toEqual([])
    expect(await decide(handle, digest, '000000')).toMatchObject(wrong)
    expect(await decide(handle, digest, '424242')).toMatchObject({ answer: { state: 'approved' } })
  })

  test('is valid for ten minutes, for its digest, and once', async () => {
    const { handle, digest } = await waiting()
    await send(handle)
    const code = codeOf()
    expect(await decide(handle, `0x${'0'.repeat(64)}`, code)).toMatchObject({ status: 422 })
    expect(await fixture.status(handle)).toMatchObject({ answer: { state: 'open' } })
    await decide(handle, digest, code)
    expect(await decide(handle, digest, code)).toMatchObject(unknown)
  })

  test('the mail names a dapp connected by link and states that it is unverified', async () => {
    await fixture.set(['dapp_connections', true])
    const handle = newHandle()
    const requester = { name: 'Tide Market', url: 'https://market.tides.example' }
    await fixture.put(fixture.message(), { handle, requester })
    await send(handle)
    expect(textOf()).toContain(
      'This code confirms what market.tides.example asked for. You connected it with a link in',
    )
    expect(textOf()).toContain('nobody has verified it:')
  })

  test('is not sent for an import, which the import page and the device approve', async () => {
    const handle = newHandle()
    const request = { method: 'import', params: [somebody] }
    const { answer } = await fixture.browser.call('putConfirmation', {
      token: fixture.session.token,
      body: { handle, address: null, request, origin: null, place: 'page' },
    })
    const { digest } = v.parse(v.object({ digest: v.string() }), answer)
    expect(await send(handle)).toMatchObject(unknown)
    expect(await decide(handle, digest, '000000')).toMatchObject(unknown)
    expect(mails()).toEqual([])
  })

  test('allows five guesses in ten minutes', async () => {
    const { handle, digest } = await waiting()
    await send(handle)
    for (let guess = 0; guess < 5; guess += 1) {
      expect(await decide(handle, digest, wrongFor(codeOf()))).toMatchObject(wrong)
    }
    expect(await decide(handle, digest, codeOf())).toMatchObject({ status: 429 })
  })

  test('sends no code for an app without isolated pages, an unknown handle or a decided request', async () => {
    const { handle, digest } = await waiting()
    await fixture.decide(handle, digest, 'refuse')
    expect(await send(handle)).toMatchObject(unknown)
    expect(await send(newHandle())).toMatchObject(unknown)
    const another = await waiting()
    await send(another.handle)
    await fixture.set(['cross_origin_opener_policy', null])
    expect(await send(another.handle)).toMatchObject({ answer: { code: 'not_supported' } })
    expect(await decide(another.handle, another.digest, codeOf())).toMatchObject({
      answer: { code: 'not_supported' },
    })
    expect(mails()).toHaveLength(1)
  })

  test('is not sent to an address that is new to the account, nor without an address', async () => {
    const { handle } = await waiting()
    const users = fixture.context.db.updateTable('users').set({ created_at: 1, first_account_id: null })
    await users.where('id', '=', fixture.session.user.id).execute()
    expect(await send(handle)).toMatchObject({ answer: { code: 'method_too_new' } })
    await fixture.set(['new_method_hours', 0])
    expect(await send(handle)).toMatchObject({ status: 200 })
    await fixture.context.db
      .updateTable('linked_accounts')
      .set({ type: 'telegram', profile: '{"telegramUserId":"1"}' })
      .where('user_id', '=', fixture.session.user.id)
      .where('type', '=', 'email')
      .execute()
    expect(await send(handle)).toMatchObject({ answer: { code: 'linked_account_not_found' } })
  })

  const number = '+1 2025550123'
  /** Simulates a user who never had an address. */
  const replaceAddress = async (type: 'phone' | 'telegram', change: object = {}) => {
    await fixture.context.db
      .updateTable('linked_accounts')
      .set(
        type === 'phone'
          ? { type, identifier: number, profile: JSON.stringify({ phoneNumber: number }), ...change }
          : { type, profile: '{"telegramUserId":"1"}', ...change },
      )
      .where('user_id', '=', fixture.session.user.id)
      .where('type', '=', 'email')
      .execute()
  }

  const nowSeconds = () => Math.floor(fixture.context.clock.nowMs() / 1_000)
  /** Adds another account to the user, linked at this time. */
  const link = async (type: 'email' | 'phone', identifier: string, since: number) => {
    const [own] = await fixture.context.db.selectFrom('linked_accounts').selectAll().execute()
    const { id, ...rest } = v.parse(v.looseObject({ id: v.string() }), own)
    const profile = JSON.stringify(type === 'phone' ? { phoneNumber: identifier } : {})
    const added = { type, identifier, profile, first_verified_at: since }
    await fixture.context.db
      .insertInto('linked_accounts')
      .values({ ...rest, ...added, id: `${id}${identifier}` } as never)
      .execute()
  }
  test('rejects an address that was linked in the second of the sign-up', async () => {
    await replaceAddress('telegram')
    const { created_at } = await fixture.context.db
      .selectFrom('users')
      .select('created_at')
      .executeTakeFirstOrThrow()
    await link('email', 'mallory@example.com', created_at)
    expect(await send((await waiting()).handle)).toMatchObject({ answer: { code: 'method_too_new' } })
    expect(mails()).toEqual([])
  })

  const order = async (handle: string, before?: OrderedCode, address?: string) => {
    const app = await fixture.context.apps.find(fixture.app.id)
    if (!app) throw new Error('The app is there')
    return fixture.context.transaction((trx) =>
      orderCodeFor(trx, fixture.context, app, handle, { address }, before),
    )
  }

  test('stays the same if its mail is resent after a failure, and differs for another address', async () => {
    const { handle } = await waiting()
    const first = await order(handle)
    const seedOf = (ordered: OrderedCode) => ('order' in ordered ? ordered.order.seed : undefined)
    expect(first).toMatchObject({ by: 'mail', to: 'ada@example.com' })
    expect(seedOf(await order(handle, first))).toBe(seedOf(first))
    const toAnother = { ...first, to: 'eve@example.com' } as OrderedCode
    expect(seedOf(await order(handle, toAnother))).not.toBe(seedOf(first))
  })

  test('reports a mail that cannot be sent, and refunds the quota', async () => {
    const { handle } = await waiting()
    const { ports } = fixture.context
    const before = mailer.get(ports)
    mailer.set(ports, { send: () => Promise.reject(new Error('421 later')) })
    for (let asked = 0; asked < 7; asked += 1) {
      expect(await send(handle)).toMatchObject({ answer: { code: 'email_not_sent' } })
    }
    mailer.set(ports, before)
    expect(await send(handle)).toMatchObject({ status: 200 })
  })

  test('reports when a new address can be used, if the user has no older one', async () => {
    const { handle } = await waiting()
    await fixture.context.db.updateTable('users').set({ created_at: 1, first_account_id: null }).execute()
    const since = nowSeconds()
    await fixture.context.db.updateTable('linked_accounts').set({ first_verified_at: since }).execute()
    await link('email', 'later@example.com', since + 60)
    await fixture.set(['new_method_hours', 24])
    const until = since + 24 * 3_600
    expect(await send(handle)).toMatchObject({ answer: { code: 'method_too_new', details: { until } } })
  })

  test("goes to the user's oldest address, even if a phone number is older", async () => {
    const texts: string[] = []
    smsTexter.set(fixture.context.ports, {
      async send({ e164 }) {
        texts.push(e164)
        return { type: 'sent' }
      },
    })
    await link('phone', '+1 2025550123', 1)
    await link('email', 'first@example.com', 2)
    expect(await send((await waiting()).handle)).toMatchObject({ answer: { sent_to: 'f•••@example.com' } })
    expect([mails().map(({ to }) => to), texts]).toEqual([['first@example.com'], []])
  })

  describe('if the user has a phone number and no address', () => {
    const texts: { e164: string; text: string }[] = []
    let sending: TextResult
    beforeEach(async () => {
      texts.length = 0
      sending = { type: 'sent' }
      smsTexter.set(fixture.context.ports, {
        async send(message) {
          if (sending.type === 'sent') texts.push(message)
          return sending
        },
      })
      await replaceAddress('phone')
    })
    const codeInText = () => /^\d{6}$/m.exec(texts.at(-1)?.text ?? '')?.[0] ?? ''

    test('sends the code by SMS with the description and the one host, for that request only', async () => {
      const [one, other] = [await waiting(), await waiting()]
      expect(await send(one.handle)).toMatchObject({
        status: 200,
        answer: { by: 'sms', sent_to: '•••0123' },
      })
      expect(mails()).toEqual([])
      expect(texts.map(({ e164 }) => e164)).toEqual(['+12025550123'])
      const { host } = new URL(fixture.context.config.walletOrigin)
      const text = texts.at(-1)?.text ?? ''
      expect(text).toContain(`Send 1 ETH to ${getAddress(somebody)} on Ethereum.`)
      expect(text).toContain(`Enter it only on ${host}, and nowhere else.`)
      expect(text.endsWith(`\n@${host.split(':')[0]} #${codeInText()}`)).toBe(true)
      expect(await decide(other.handle, other.digest, codeInText())).toMatchObject(wrong)
      expect(await decide(one.handle, one.digest, wrongFor(codeInText()))).toMatchObject(wrong)
      expect(await decide(one.handle, one.digest, codeInText())).toMatchObject({
        answer: { state: 'approved' },
      })
      expect(await decide(one.handle, one.digest, codeInText())).toMatchObject(unknown)
    })

    test('allows five guesses and is valid for ten minutes', async () => {
      const [one, other] = [await waiting(), await waiting()]
      await send(one.handle)
      for (let guess = 0; guess < 5; guess += 1) {
        expect(await decide(one.handle, one.digest, wrongFor(codeInText()))).toMatchObject(wrong)
      }
      expect(await decide(one.handle, one.digest, codeInText())).toMatchObject({ status: 429 })
      await send(other.handle)
      fixture.context.clock.advanceSeconds(600)
      expect(await decide(other.handle, other.digest, codeInText())).not.toMatchObject({
        answer: { state: 'approved' },
      })
    })

    test('sends no text to a new number, nor without an SMS service', async () => {
      const { handle } = await waiting()
      const users = fixture.context.db.updateTable('users').set({ created_at: 1, first_account_id: null })
      await users.where('id', '=', fixture.session.user.id).execute()
      expect(await send(handle)).toMatchObject({ answer: { code: 'method_too_new' } })
      await fixture.set(['new_method_hours', 0])
      expect(await send(handle)).toMatchObject({ status: 200 })
      smsTexter.set(fixture.context.ports, undefined)
      expect(await send(handle)).toMatchObject({ answer: { code: 'linked_account_not_found' } })
      expect(texts).toHaveLength(1)
    })

    test('prefers the old number to a new address', async () => {
      const [own] = await fixture.context.db.selectFrom('linked_accounts').selectAll().execute()
      const { id, ...rest } = v.parse(v.looseObject({ id: v.string() }), own)
      const added = { type: 'email', identifier: 'mallory@example.com', profile: '{}' }
      const linked = { first_verified_at: Math.floor(fixture.context.clock.nowMs() / 1_000) + 1 }
      await fixture.context.db
        .insertInto('linked_accounts')
        .values({ ...rest, ...added, ...linked, id: `${id}x` } as never)
        .execute()
      expect(await send((await waiting()).handle)).toMatchObject({ answer: { by: 'sms' } })
      expect(mails()).toEqual([])
    })

    test('sends to the number of the second factor if the user has had it longer', async () => {
      await fixture.context.db
        .insertInto('mfa_methods')
        .values({
          ...enrolledMethod({
            id: 'factor',
            app_id: fixture.app.id,
            user_id: fixture.session.user.id,
            method: 'sms',
          }),
          phone_number: '+1 2025550199',
        })
        .execute()
      expect(await send((await waiting()).handle)).toMatchObject({ answer: { sent_to: '•••0199' } })
    })

    test("counts a text, but not a mail, against the network's limit of a hundred in ten minutes", async () => {
      const [network, another] = ['192.0.2.1', '192.0.2.2']
      const purpose = { name: 'test', channel: 'sms', digits: 6, seconds: 600 } as const
      for (let texted = 0; texted < 100; texted += 1) {
        const key = { appId: fixture.app.id, purpose, identifier: String(texted), binding: '' }
        await fixture.context.transaction((trx) =>
          consumeSend(trx, 'paid-send', key, { address: network }, nowSeconds()),
        )
      }
      const { handle } = await waiting()
      await expect(order(handle, undefined, network)).rejects.toMatchObject({ code: 'too_many_requests' })
      expect(await order(handle, undefined, another)).toMatchObject({ by: 'sms' })
      await link('email', 'ada@example.com', 1)
      expect(await order(handle, undefined, network)).toMatchObject({ by: 'mail' })
    })

    test('reports a text that was not accepted, and refunds the quota', async () => {
      const { handle } = await waiting()
      sending = { type: 'failed', why: 'status 500' }
      for (let asked = 0; asked < 7; asked += 1) {
        expect(await send(handle)).toMatchObject({ answer: { code: 'twilio_verification_failed' } })
      }
      sending = { type: 'sent' }
      expect(await send(handle)).toMatchObject({ status: 200 })
    })
  })

  describe('if the user has no reachable address and an authenticator app', () => {
    let generate: () => string
    beforeEach(async () => {
      const call = fixture.inMfa(fixture.session)
      const app = OTPAuth.URI.parse((await fixture.beginTotp(call)).totpAuthUrl)
      generate = () => app.generate({ timestamp: fixture.context.clock.nowMs() })
      expect(await call('enrollTotp', { code: generate() })).toMatchObject({ status: 200 })
      // The app is no longer new.
      await fixture.context.db.updateTable('mfa_methods').set({ enrolled_at: 1 }).execute()
      fixture.context.clock.advanceSeconds(60)
      fixture.context.mails.length = 0
    })

    test("the app's code approves the request for which it is entered, once", async () => {
      await replaceAddress('telegram')
      const [one, other] = [await waiting(), await waiting()]
      expect(await send(one.handle)).toMatchObject({ status: 200, answer: { by: 'totp', sent_to: null } })
      expect(await decide(one.handle, one.digest, wrongFor(generate()))).toMatchObject(wrong)
      const code = generate()
      expect(await decide(one.handle, `0x${'0'.repeat(64)}`, code)).toMatchObject({ status: 422 })
      expect(await decide(one.handle, one.digest, code)).toMatchObject({ answer: { state: 'approved' } })
      expect(await decide(other.handle, other.digest, code)).toMatchObject(wrong)
      expect(await fixture.status(other.handle)).toMatchObject({ answer: { state: 'open' } })
    })

    test('attempts are counted before the comparison: four per request', async () => {
      await replaceAddress('telegram')
      const { handle, digest } = await waiting()
      for (let tried = 0; tried < 4; tried += 1) {
        expect(await decide(handle, digest, wrongFor(generate()))).toMatchObject(wrong)
      }
      expect(await decide(handle, digest, generate())).toMatchObject({
        answer: { code: 'mfa_verification_max_attempts_reached' },
      })
      // The second factor is also locked for all other verifications.
      const another = await waiting()
      expect(await decide(another.handle, another.digest, generate())).toMatchObject({
        answer: { code: 'mfa_verification_max_attempts_reached' },
      })
    })

    test('an app that is new to the account approves nothing', async () => {
      await replaceAddress('telegram')
      const at = Math.floor(fixture.context.clock.nowMs() / 1_000) - 60
      await fixture.context.db.updateTable('mfa_methods').set({ enrolled_at: at }).execute()
      const users = fixture.context.db.updateTable('users').set({ created_at: 1, first_account_id: null })
      await users.where('id', '=', fixture.session.user.id).execute()
      const { handle, digest } = await waiting()
      const refused = { answer: { code: 'method_too_new' } }
      expect(await send(handle)).toMatchObject(refused)
      expect(await decide(handle, digest, generate())).toMatchObject(refused)
    })

    test('mails a code to a user with an address, and rejects their authenticator code', async () => {
      const { handle, digest } = await waiting()
      expect(await send(handle)).toMatchObject({ answer: { by: 'mail' } })
      expect(await decide(handle, digest, generate())).toMatchObject(wrong)
      expect(await decide(handle, digest, codeOf())).toMatchObject({ answer: { state: 'approved' } })
    })
  })

  describe('the mail', () => {
    const said = async (request: WalletRpcRequest) => {
      const { handle } = await waiting(request)
      expect(await send(handle)).toMatchObject({ status: 200 })
      return textOf()
    }

    test('names the host for the code and the validity', async () => {
      const text = await said(fixture.message('Hello'))
      const { host } = new URL(fixture.context.config.walletOrigin)
      expect(text).toContain(`Enter it only on ${host}, and nowhere else.`)
      expect(text).toContain('It is valid for 10 minutes and can be used once.')
      expect(text).toContain('Sign a message with your wallet.')
      expect(text).toContain(`@${host.split(':')[0]} #${codeOf()}`)
      expect(mails().at(-1)?.subject).toBe(`${codeOf()} confirms a request of ${fixture.app.name}`)
      expect(mails().at(-1)?.html).toContain(`Enter it only on ${host}`)
    })

    const transfer = (functionName: 'transfer' | 'approve', amount: bigint) =>
      encodeFunctionData({ abi: erc20Abi, functionName, args: [somebody, amount] })
    const call = (to: string, data: string, value = 0n) =>
      fixture.transaction({ to: to as `0x${string}`, data: data as `0x${string}`, value })

    test('shows the full amount and the recipient', async () => {
      expect(await said(call(somebody, '0x', oneEther + 1n))).toContain(
        `Send 1.000000000000000001 ETH to ${getAddress(somebody)} on Ethereum.`,
      )
      expect(await said(call(pricedToken, transfer('transfer', 5_000_001n)))).toContain(
        `Send 5.000001 PRC to ${getAddress(somebody)} on Ethereum.`,
      )
    })

    test('shows the spender and the allowance', async () => {
      expect(await said(call(pricedToken, transfer('approve', 5_000_000n)))).toContain(
        `Allow ${getAddress(somebody)} to take 5 PRC on Ethereum.`,
      )
      expect(await said(call(pricedToken, transfer('approve', 2n ** 256n - 1n)))).toContain(
        `Allow ${getAddress(somebody)} to take all of your PRC on Ethereum.`,
      )
    })

    test('names the contract if nothing else is known about the call', async () => {
      expect(await said(call(somebody, '0x12345678'))).toContain(
        `Call the contract ${getAddress(somebody)} on Ethereum.`,
      )
      expect(await said(call(somebody, '0x12345678', oneEther))).toContain(
        `Send 1 ETH to the contract ${getAddress(somebody)} on Ethereum.`,
      )
      expect(await said(fixture.typedData())).toContain('Sign data with your wallet, for the contract 0x')
    })

    test('shows both amounts of an order', async () => {
      const order = fixture.typedData(cowOrder(fixture.address, { sellToken: pricedToken }))
      expect(await said(order)).toContain(
        `Sell 5 PRC (${getAddress(pricedToken)}) for at least 0.002 ETH until 31 December 2026 at 12:00 UTC, on CoW Protocol.`,
      )
    })
  })
})
