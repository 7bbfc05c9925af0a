/** Used nonces and messages for other recipients, next to valid ones. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { setFields } from '../../identity/apps/manage.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createKeyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { startChain } from '../../testing/sandbox.ts'
import {
  dialog,
  host,
  type MessageParts,
  nonceAnswer,
  refused,
  type SiweFixture,
  siweFixture,
} from './testing/fixture.ts'

const chainUrl = await startChain()

forEachEngine((database) => {
  let context: SiweFixture['context']
  let app: SiweFixture['app']
  let browser: SiweFixture['browser']
  let wallet: SiweFixture['wallet']
  let newApp: SiweFixture['newApp']
  let newBrowser: SiweFixture['newBrowser']
  let begin: SiweFixture['begin']
  let nonceFor: SiweFixture['nonceFor']
  let signed: SiweFixture['signed']
  let signedByNow: SiweFixture['signedByNow']
  let login: SiweFixture['login']
  let askNobody: SiweFixture['askNobody']
  beforeEach(async () => {
    ;({
      context,
      app,
      browser,
      wallet,
      newApp,
      newBrowser,
      begin,
      nonceFor,
      signed,
      signedByNow,
      login,
      askNobody,
    } = await siweFixture(database(), createRpcChains(new Map([[31_337, chainUrl]]))))
  })

  describe('a nonce', () => {
    const gone = refused('invalid_credentials', 'nonce')

    test('a nonce is used once, even by concurrent calls', async () => {
      const body = await signedByNow()
      const answers = await Promise.all([1, 2, 3, 4].map(() => login(body)))
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422, 422])
      expect(await login(body)).toMatchObject(gone)
      expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    })

    test('a nonce is bound to its browser', async () => {
      const body = await signedByNow()
      const stranger = newBrowser()
      expect(await login(body, stranger)).toMatchObject(gone)
      askNobody()
      expect(await login({ ...body, signature: '0x00' }, stranger)).toMatchObject(gone)
      expect(await login(body)).toMatchObject({ status: 200 })
    })

    test('a nonce is bound to its app', async () => {
      const other = await newApp()
      // Both apps identify this browser by the same binding.
      const headers = { 'latchkey-login-binding': 'one browser' }
      const begun = await browser.call('beginSiwe', {
        headers,
        body: { address: wallet.address, origin: host },
      })
      const body = await signed(v.parse(nonceAnswer, begun.answer).nonce)
      const elsewhere = newBrowser(other)
      expect(await elsewhere.call('loginWithSiwe', { headers, body })).toMatchObject(gone)
      askNobody()
      const wrong = { ...body, signature: '0x00' }
      expect(await elsewhere.call('loginWithSiwe', { headers, body: wrong })).toMatchObject(gone)
      expect(await browser.call('loginWithSiwe', { headers, body })).toMatchObject({ status: 200 })
    })

    test('a nonce expires after ten minutes', async () => {
      const [early, late] = [await signedByNow(), await signedByNow()]
      context.clock.advanceSeconds(599)
      expect(await login(early)).toMatchObject({ status: 200 })
      context.clock.advanceSeconds(1)
      expect(await login(late)).toMatchObject(gone)
    })

    test('an unknown nonce is rejected and leaves others valid', async () => {
      const [first, second] = [await signedByNow(), await signedByNow()]
      expect(await login(await signed('a'.repeat(32)))).toMatchObject(gone)
      expect(await login(first)).toMatchObject({ status: 200 })
      expect(await login(second)).toMatchObject({ status: 200 })
    })

    test('a nonce is consumed by a wrong signature', async () => {
      const body = await signedByNow(wallet, { chainId: 31_337 })
      const stranger = await createKeyWallet().sign(body.message)
      expect(await login({ ...body, signature: stranger })).toMatchObject(
        refused('invalid_credentials', 'signature'),
      )
      expect(await login(body)).toMatchObject(gone)
    })

    test.each([
      'https://evil.example',
      'http://demo.localhost:4011',
      'http://demo.localhost:4010/',
      'http://wallet.localhost:4000',
      'null',
      '',
    ])('no nonce is created for the unlisted page %j', async (origin) => {
      expect(await begin(wallet, browser, origin)).toMatchObject({
        status: 403,
        answer: { code: 'origin_not_allowed', details: { origin } },
      })
    })

    test.each(['0xfB6916095CA1df60bB79Ce92cE3Ea74c37c5d359', '0xabc', 'ada.eth', ''])(
      'no nonce is created for the invalid address %j',
      async (address) => {
        const body = { address, origin: host }
        expect(await browser.call('beginSiwe', { body })).toMatchObject({
          status: 422,
          answer: { code: 'invalid_data', details: { path: 'address' } },
        })
      },
    )
  })

  describe('a message', () => {
    test.each<[string, MessageParts]>([
      ['domain', { origin: 'https://evil.example' }],
      ['domain', { origin: 'http://demo.localhost' }],
      ['domain', { origin: 'http://demo.localhost:4011' }],
      ['domain', { origin: dialog }],
      ['issued_at', { issuedAtMs: Date.UTC(2020, 0, 1) }],
      ['expired', { more: '\nExpiration Time: 2025-12-31T23:59:59Z' }],
      ['not_yet_valid', { more: '\nNot Before: 2100-01-01T00:00:00Z' }],
      ['format', { more: '\nAnd: more' }],
    ])('a message with a wrong %s is rejected: %j', async (reason, parts) => {
      const nonce = await nonceFor()
      expect(await login(await signed(nonce, parts))).toMatchObject(refused('invalid_message', reason))
      // The same nonce in the right message succeeds, so nothing else was wrong.
      expect(await login(await signed(nonce))).toMatchObject({ status: 200 })
    })

    test('a message of one page is rejected for another listed page', async () => {
      const other = 'https://other.example'
      await setFields(context.db, context.clock, app.id, [])
      await context.db
        .updateTable('apps')
        .set({ allowed_origins: JSON.stringify([host, other]) })
        .where('id', '=', app.id)
        .execute()
      context.clock.advanceSeconds(5)
      const nonce = await nonceFor(wallet, browser, other)
      expect(await login(await signed(nonce))).toMatchObject(refused('invalid_message', 'domain'))
      expect(await login(await signed(nonce, { origin: other }))).toMatchObject({ status: 200 })
    })

    test('a message of a wallet other than the nonce’s is rejected, even with its signature', async () => {
      const nonce = await nonceFor()
      const other = createKeyWallet()
      expect(await login(await signed(nonce, {}, other))).toMatchObject(refused('invalid_message', 'address'))
      expect(await login(await signed(nonce))).toMatchObject({ status: 200 })
    })

    test('a message for a chain other than the call’s is rejected', async () => {
      const body = await signedByNow()
      expect(await login({ ...body, chainId: 'eip155:10' })).toMatchObject(
        refused('invalid_message', 'chain'),
      )
      expect(await login(body)).toMatchObject({ status: 200 })
    })

    test.each([
      ['chainId', '1'],
      ['chainId', 'eip155:0'],
      ['chainId', 'solana:1'],
      ['signature', '0x'],
      ['signature', 'ab'],
      ['signature', `0x${'00'.repeat(16_384)}`],
      // Names of embedded wallets.
      ['walletClientType', 'latchkey'],
      ['connectorType', 'embedded'],
    ])('a login with the %s %j is rejected', async (field, value) => {
      const body = await signedByNow()
      expect(await login({ ...body, [field]: value })).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data' },
      })
      expect(await login(body)).toMatchObject({ status: 200 })
    })
  })
})
