/** Linking and unlinking wallets. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createKeyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { linkingFacts } from '../testing/linking.facts.ts'
import { refused, type SiweFixture, siweFixture } from './testing/fixture.ts'

forEachEngine((database) => {
  let fixture: SiweFixture
  let context: SiweFixture['context']
  let app: SiweFixture['app']
  let browser: SiweFixture['browser']
  let wallet: SiweFixture['wallet']
  let signedByNow: SiweFixture['signedByNow']
  let login: SiweFixture['login']
  beforeEach(async () => {
    fixture = await siweFixture(database(), createRpcChains(new Map()))
    ;({ context, app, browser, wallet, signedByNow, login } = fixture)
  })

  // spec L5.20
  test('an embedded wallet can neither log in nor be linked', async () => {
    const { token, user } = await browser.login()
    const kept = {
      id: 'wal_1',
      app_id: app.id,
      user_id: user.id,
      kind: 'entropy' as const,
      chain_type: 'ethereum' as const,
      status: 'committed' as const,
      generation: 1,
      address: wallet.address,
      recovery_method: 'latchkey' as const,
      auth_share: null,
      recovery_share: null,
      recovery_access: null,
      last_generation: 1,
      created_at: 1,
      committed_at: 1,
    }
    await context.db.insertInto('wallets').values(kept).execute()
    const no = { status: 403, answer: { code: 'disallowed_login_method' } }
    expect(await login(await signedByNow())).toMatchObject(no)
    expect(await browser.call('linkWallet', { token, body: await signedByNow() })).toMatchObject(no)
    expect(await browser.call('unlinkWallet', { token, body: { address: wallet.address } })).toMatchObject({
      status: 400,
      answer: { code: 'cannot_unlink_embedded_wallet' },
    })
  })

  const other = createKeyWallet()
  // spec L7.13
  linkingFacts(
    () => ({
      fixture,
      type: 'wallet',
      setting: 'wallet_auth',
      calls: { login: 'loginWithSiwe', link: 'linkWallet', unlink: 'unlinkWallet' },
      proof: (person, from) => signedByNow(person === 'Ada Lovelace' ? wallet : other, {}, from),
      named: (address) => ({ address: address.toLowerCase() }),
      shown: { address: wallet.address },
    }),
    { several: true },
  )

  describe('linking', () => {
    const link = async (token: string, of = wallet, from = browser) =>
      from.call('linkWallet', { token, body: await signedByNow(of, {}, from) })

    // spec L1.4, L7.21
    test('links any number of wallets, each of which logs the user in', async () => {
      const { token, user } = await browser.login()
      const second = createKeyWallet()
      await link(token)
      expect(await link(token, second)).toMatchObject({
        status: 200,
        answer: {
          linked_accounts: expect.arrayContaining([
            expect.objectContaining({ type: 'wallet', address: wallet.address }),
            expect.objectContaining({ type: 'wallet', address: second.address }),
          ]),
        },
      })
      for (const one of [wallet, second]) {
        const { answer } = await login(await signedByNow(one))
        expect(v.parse(sessionAnswer, answer).user.id).toBe(user.id)
      }
    })

    /** Signs with another key, which only the contract on the chain could accept. */
    const signedForContract = async () => {
      const body = await signedByNow()
      return { ...body, signature: await createKeyWallet().sign(body.message) }
    }
    const chainSays = (type: 'right' | 'wrong', first: () => Promise<unknown> = async () => undefined) =>
      chains.set(context.ports, {
        ...createRpcChains(new Map()),
        async verifyMessage() {
          await first()
          return { type }
        },
      })

    test('links nothing without the wallet’s signature', async () => {
      const { token } = await browser.login()
      const body = await signedForContract()
      expect(await browser.call('linkWallet', { token, body })).toMatchObject({
        status: 400,
        answer: { code: 'unsupported_chain_id' },
      })
      chainSays('wrong')
      const wrong = await signedForContract()
      expect(await browser.call('linkWallet', { token, body: wrong })).toMatchObject(
        refused('invalid_credentials', 'signature'),
      )
      expect(await fixture.audited('user.account_linked')).toEqual([])
      chainSays('right')
      const right = await signedForContract()
      expect(await browser.call('linkWallet', { token, body: right })).toMatchObject({ status: 200 })
    })

    test('accepts the same message again after the chain failed', async () => {
      const { token } = await browser.login()
      const call = { token, body: await signedForContract(), requestId: 'tried-again' }
      chainSays('right', () => Promise.reject(new Error('socket hang up')))
      expect(await browser.call('linkWallet', call)).toMatchObject({ status: 500 })
      chainSays('right')
      expect(await browser.call('linkWallet', call)).toMatchObject({ status: 200 })
    })

    test('links nothing if the session ends during the chain call', async () => {
      const { token, refresh_token } = await browser.login()
      chainSays('right', () => browser.call('logout', { body: { refresh_token } }))
      const body = await signedForContract()
      expect(await browser.call('linkWallet', { token, body })).toMatchObject({ status: 401 })
      expect(await fixture.audited('user.account_linked')).toEqual([])
    })
  })

  describe('unlinking', () => {
    const unlink = (token: string, address: string = wallet.address) =>
      browser.call('unlinkWallet', { token, body: { address } })

    test('refuses to unlink an invalid address', async () => {
      const { token } = await browser.login()
      expect(await unlink(token, '0xabc')).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'address' } },
      })
    })
  })
})
