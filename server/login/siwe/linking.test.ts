/** A wallet that is added to a user, and taken from them. */
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
  test('a wallet that is kept here is no way in, and can be linked to nobody', async () => {
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
    test('adds any number of wallets to the user, who then logs in with each', async () => {
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

    /** By another key: only its chain may know whether a contract takes that. */
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

    test('of what the wallet did not sign is refused, and links nothing', async () => {
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

    test('can try the same message again when its chain did not answer', async () => {
      const { token } = await browser.login()
      const call = { token, body: await signedForContract(), requestId: 'tried-again' }
      chainSays('right', () => Promise.reject(new Error('socket hang up')))
      expect(await browser.call('linkWallet', call)).toMatchObject({ status: 500 })
      chainSays('right')
      expect(await browser.call('linkWallet', call)).toMatchObject({ status: 200 })
    })

    test('links nothing where the session ends while the chain is asked', async () => {
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

    test('of what is no address is refused as that', async () => {
      const { token } = await browser.login()
      expect(await unlink(token, '0xabc')).toMatchObject({
        status: 422,
        answer: { code: 'invalid_data', details: { path: 'address' } },
      })
    })
  })
})
