/** A wallet that is added to a user, and taken from them. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { forkInto, sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { keyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { refused, type SiweWorld, siweTestTables, siweWorld } from './testing/world.ts'

forEachEngine((database) => {
  let world: SiweWorld
  let context: SiweWorld['context']
  let app: SiweWorld['app']
  let browser: SiweWorld['browser']
  let wallet: SiweWorld['wallet']
  let newBrowser: SiweWorld['newBrowser']
  let signedByNow: SiweWorld['signedByNow']
  let login: SiweWorld['login']
  beforeEach(async () => {
    world = await siweWorld(database(), createRpcChains(new Map()))
    ;({ context, app, browser, wallet, newBrowser, signedByNow, login } = world)
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

  describe('linking', () => {
    const link = async (token: string, of = wallet, from = browser) =>
      from.call('linkWallet', { token, body: await signedByNow(of, {}, from) })

    // spec L1.4, L7.21
    test('adds any number of wallets to the user, who then logs in with each', async () => {
      const { token, user } = await browser.login()
      const second = keyWallet()
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

    test('is told to the user at their address, once, and so is an unlinking', async () => {
      const { token } = await browser.login()
      const told = () =>
        context.mails
          .filter(({ subject }) => subject.includes('way to log in'))
          .map(({ to, subject }) => [to, subject])
      await link(token)
      await link(token)
      expect(told()).toEqual([['ada@example.com', 'A way to log in was added to your Fieldnotes account']])
      await browser.call('unlinkWallet', { token, body: { address: wallet.address } })
      await browser.call('unlinkWallet', { token, body: { address: wallet.address } })
      expect(told().slice(1)).toEqual([
        ['ada@example.com', 'A way to log in was removed from your Fieldnotes account'],
      ])
    })

    test('of a wallet that another user has is refused, and changes nothing', async () => {
      await login(await signedByNow())
      const { token } = await browser.login()
      expect(await link(token)).toMatchObject({
        status: 400,
        answer: {
          code: 'linked_to_another_user',
          error: 'This account has already been linked to another user.',
        },
      })
      expect(await browser.call('me', { token })).toMatchObject({
        answer: { linked_accounts: [{ type: 'email' }] },
      })
    })

    test('by two users at once: one has it, the other is told, and no row is half made', async () => {
      const racers = []
      for (const name of ['ada', 'bob', 'cy', 'dora', 'eve', 'finn']) {
        const from = newBrowser()
        const { token } = await from.login(`${name}@example.com`)
        racers.push({ from, token, body: await signedByNow(wallet, {}, from) })
      }
      const answers = await Promise.all(
        racers.map(({ from, token, body }) => from.call('linkWallet', { token, body })),
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400, 400])
      const losers = answers.filter(({ status }) => status === 400)
      for (const loser of losers) expect(loser.answer).toMatchObject({ code: 'linked_to_another_user' })
      const rows = await context.db
        .selectFrom('linked_accounts')
        .select('user_id')
        .where('type', '=', 'wallet')
        .execute()
      expect(rows).toHaveLength(1)
      expect(await world.audited('user.account_linked')).toEqual(
        rows.map(({ user_id }) => ({ userId: user_id, details: { account: 'wallet' } })),
      )
    })

    /** By another key: only its chain may know whether a contract takes that. */
    const signedForContract = async () => {
      const body = await signedByNow()
      return { ...body, signature: await keyWallet().sign(body.message) }
    }
    const chainSays = (type: 'right' | 'wrong', first: () => Promise<unknown> = async () => undefined) =>
      chains.put(context.ports, {
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
      expect(await world.audited('user.account_linked')).toEqual([])
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
      expect(await world.audited('user.account_linked')).toEqual([])
    })

    test('is not for a fork', async () => {
      const session = await browser.login()
      const forked = newBrowser()
      const fork = await forkInto(forked, browser, session)
      const forkedBody = await signedByNow(wallet, {}, forked)
      expect(await forked.call('linkWallet', { token: fork.token, body: forkedBody })).toMatchObject({
        status: 403,
        answer: { code: 'insufficient_scope' },
      })
      const body = await signedByNow()
      expect(await browser.call('linkWallet', { token: session.token, body })).toMatchObject({ status: 200 })
    })

    test('needs the session to be alive', async () => {
      const { token, refresh_token } = await browser.login()
      const body = await signedByNow()
      await browser.call('logout', { body: { refresh_token } })
      expect(await browser.call('linkWallet', { token, body })).toMatchObject({ status: 401 })
      expect(await browser.call('unlinkWallet', { token, body: { address: wallet.address } })).toMatchObject({
        status: 401,
      })
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

    // spec L7.13
    test('takes the wallet from the user, and somebody else may have it then', async () => {
      const { token, user } = await browser.login()
      await browser.call('linkWallet', { token, body: await signedByNow() })
      expect(await unlink(token, wallet.address.toLowerCase())).toMatchObject({
        status: 200,
        answer: { linked_accounts: [{ type: 'email' }] },
      })
      const { answer } = await login(await signedByNow())
      expect(v.parse(sessionAnswer, answer).user.id).not.toBe(user.id)
    })

    test('of the only account is refused', async () => {
      const { token } = v.parse(sessionAnswer, (await login(await signedByNow())).answer)
      expect(await unlink(token)).toMatchObject({
        status: 400,
        answer: { code: 'cannot_unlink_sole_account' },
      })
      expect(await login(await signedByNow())).toMatchObject({ answer: { is_new_user: false } })
    })

    test('of two at once leaves one', async () => {
      const { token } = v.parse(sessionAnswer, (await login(await signedByNow())).answer)
      const second = keyWallet()
      await browser.call('linkWallet', { token, body: await signedByNow(second) })
      const answers = await Promise.all([unlink(token), unlink(token, second.address)])
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    })

    test('of a wallet that is not the user’s is refused', async () => {
      await login(await signedByNow())
      const { token } = await browser.login()
      expect(await unlink(token)).toMatchObject({
        status: 404,
        answer: { code: 'linked_account_not_found' },
      })
      expect(await login(await signedByNow())).toMatchObject({ answer: { is_new_user: false } })
    })
  })
}, siweTestTables)
