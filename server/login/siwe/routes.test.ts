/** Login with a wallet over HTTP, with keys, and with contract wallets on the sandbox's chain. */
import * as v from 'valibot'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeAllowlist, setFields } from '../../identity/apps/manage.ts'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { chains } from '../../integrations/chains/chains.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { createContractWallets, createKeyWallet } from '../../integrations/chains/testing/contract-wallets.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { startChain } from '../../testing/sandbox.ts'
import { dialog, nonceAnswer, refused, type SiweFixture, siweFixture } from './testing/fixture.ts'

const chainUrl = await startChain()
const contracts = await createContractWallets(chainUrl)

forEachEngine((database) => {
  let context: SiweFixture['context']
  let app: SiweFixture['app']
  let browser: SiweFixture['browser']
  let wallet: SiweFixture['wallet']
  let begin: SiweFixture['begin']
  let nonceFor: SiweFixture['nonceFor']
  let signed: SiweFixture['signed']
  let signedByNow: SiweFixture['signedByNow']
  let login: SiweFixture['login']
  let askNobody: SiweFixture['askNobody']
  let audited: SiweFixture['audited']
  let logged: SiweFixture['logged']
  beforeEach(async () => {
    const fixture = await siweFixture(database(), createRpcChains(new Map([[31_337, chainUrl]])))
    ;({ context, app, browser, wallet, begin, nonceFor, signed, signedByNow, login, askNobody } = fixture)
    ;({ audited, logged } = fixture)
  })

  describe('a login', () => {
    // spec L1.4, L7.19, L7.20
    test('creates a user at the first login and finds the user again', async () => {
      const begun = await begin()
      expect(begun).toMatchObject({
        status: 200,
        answer: {
          nonce: expect.stringMatching(/^[a-z0-9]{32}$/),
          address: wallet.address,
          expires_at: context.clock.nowMs() / 1_000 + 600,
        },
      })
      const body = await signed(v.parse(nonceAnswer, begun.answer).nonce)
      const first = await login({ ...body, walletClientType: 'metamask', connectorType: 'injected' })
      const account = {
        type: 'wallet',
        address: wallet.address,
        chain_type: 'ethereum',
        chain_id: 'eip155:1',
        wallet_client: 'unknown',
        wallet_client_type: 'metamask',
        connector_type: 'injected',
      }
      expect(first).toMatchObject({
        status: 200,
        answer: {
          is_new_user: true,
          user: { linked_accounts: [account] },
          token: expect.any(String),
          refresh_token: expect.any(String),
        },
      })
      const lower = { ...wallet, address: wallet.address.toLowerCase() as typeof wallet.address }
      const again = await login(await signed(await nonceFor(lower)))
      expect(again).toMatchObject({ status: 200, answer: { is_new_user: false } })
      expect(v.parse(sessionAnswer, again.answer).user.id).toBe(v.parse(sessionAnswer, first.answer).user.id)
    })

    test('a wallet is one account on all chains', async () => {
      const first = await login(await signedByNow())
      const again = await login(await signedByNow(wallet, { chainId: 8_453 }))
      expect(again).toMatchObject({
        status: 200,
        answer: { is_new_user: false, user: { linked_accounts: [{ chain_id: 'eip155:8453' }] } },
      })
      expect(v.parse(sessionAnswer, again.answer).user.id).toBe(v.parse(sessionAnswer, first.answer).user.id)
    })

    test('a key signature needs no chain call', async () => {
      askNobody()
      expect(await login(await signedByNow())).toMatchObject({ status: 200 })
    })

    test('accepts a message with resources, and one of the dialog itself', async () => {
      const more = `\nResources:\n- https://example.com/claim.json`
      expect(await login(await signedByNow(wallet, { more }))).toMatchObject({ status: 200 })
      const nonce = v.parse(
        nonceAnswer,
        (await browser.call('beginSiwe', { body: { address: wallet.address } })).answer,
      ).nonce
      expect(await login(await signed(nonce, { origin: dialog }))).toMatchObject({ status: 200 })
    })

    test('audits a login with its method', async () => {
      const { answer } = await login(await signedByNow())
      expect(await audited('session.started')).toEqual([
        { userId: v.parse(sessionAnswer, answer).user.id, details: { method: 'wallet' } },
      ])
    })

    test('a repeated login returns the same session for one message', async () => {
      const body = await signedByNow()
      const first = v.parse(sessionAnswer, (await login(body, browser, 'login-once')).answer)
      const again = v.parse(sessionAnswer, (await login(body, browser, 'login-once')).answer)
      expect(again.refresh_token).toBe(first.refresh_token)
      expect(await context.db.selectFrom('sessions').select('id').execute()).toHaveLength(1)
    })
  })

  // Some hardware wallets encode the recovery id as 0 or 1 instead of 27 or 28.
  test('accepts the recovery ids 0 and 1', async () => {
    const body = await signedByNow()
    const [kind = ''] = body.signature.slice(-2).match(/1[bc]/) ?? []
    const signature = body.signature.slice(0, -2) + { '1b': '00', '1c': '01' }[kind]
    expect(signature).toMatch(/0[01]$/)
    expect(await login({ ...body, signature })).toMatchObject({ status: 200 })
  })

  describe('a contract wallet', () => {
    test('logs in with a signature that its contract accepts (ERC-1271)', async () => {
      const contract = await contracts.deployed()
      const body = await signedByNow(contract, { chainId: 31_337 })
      expect(await login(body)).toMatchObject({
        status: 200,
        answer: { user: { linked_accounts: [{ address: contract.address, chain_id: 'eip155:31337' }] } },
      })
      const next = await signedByNow(contract, { chainId: 31_337 })
      expect(await login({ ...next, signature: await wallet.sign(next.message) })).toMatchObject(
        refused('invalid_credentials', 'signature'),
      )
    })

    test('logs in before its deployment (ERC-6492), as the same user as afterwards', async () => {
      const contract = await contracts.counterfactual()
      const body = await signedByNow(contract, { chainId: 31_337 })
      expect(await login(body)).toMatchObject({ status: 200, answer: { is_new_user: true } })
      expect(await login(await signedByNow(contract, { chainId: 31_337 }))).toMatchObject({
        status: 200,
        answer: { is_new_user: false },
      })
    })

    test('is specific to its chain: the same address on another chain is another user', async () => {
      const contract = await contracts.deployed()
      const elsewhere = await startChain()
      const theirs = await createContractWallets(elsewhere)
      const attackers = await theirs.deployed()
      await theirs.setCode(contract.address, (await theirs.codeAt(attackers.address)) ?? '0x')
      chains.set(
        context.ports,
        createRpcChains(
          new Map([
            [31_337, chainUrl],
            [10, elsewhere],
          ]),
        ),
      )
      const here = { chainId: 31_337 }
      const owner = await login(await signedByNow(contract, here))
      expect(owner).toMatchObject({ status: 200, answer: { is_new_user: true } })
      const impostor = { ...attackers, address: contract.address }
      expect(await login(await signedByNow(impostor, here))).toMatchObject(
        refused('invalid_credentials', 'signature'),
      )
      const other = await login(await signedByNow(impostor, { chainId: 10 }))
      expect(other).toMatchObject({ status: 200, answer: { is_new_user: true } })
      expect(v.parse(sessionAnswer, other.answer).user.id).not.toBe(
        v.parse(sessionAnswer, owner.answer).user.id,
      )
      // Each unlinks their own, and the other one remains.
      expect(await login(await signedByNow(contract, here))).toMatchObject({
        status: 200,
        answer: { is_new_user: false, user: { linked_accounts: [{ chain_id: 'eip155:31337' }] } },
      })
    })

    test('is linked, and unlinked by its address', async () => {
      const contract = await contracts.deployed()
      const { token } = await browser.login()
      const body = await signedByNow(contract, { chainId: 31_337 })
      expect(await browser.call('linkWallet', { token, body })).toMatchObject({ status: 200 })
      const { address } = contract
      expect(await browser.call('unlinkWallet', { token, body: { address } })).toMatchObject({
        status: 200,
        answer: { linked_accounts: [{ type: 'email' }] },
      })
    })

    test('is allowed by an allowlist entry with its chain', async () => {
      const contract = await contracts.deployed()
      await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
      await changeAllowlist(context.db, app.id, 'add', 'wallet', contract.address)
      context.clock.advanceSeconds(5)
      const enter = async () => login(await signedByNow(contract, { chainId: 31_337 }))
      expect(await enter()).toMatchObject({ status: 401, answer: { code: 'allowlist_rejected' } })
      await changeAllowlist(context.db, app.id, 'add', 'wallet', `eip155:31337:${contract.address}`)
      context.clock.advanceSeconds(5)
      expect(await enter()).toMatchObject({ status: 200 })
    })

    test('is unknown on a chain without an RPC node', async () => {
      const contract = await contracts.deployed()
      expect(await login(await signedByNow(contract, { chainId: 10 }))).toMatchObject({
        status: 400,
        answer: { code: 'unsupported_chain_id', details: { setting: 'CHAIN_RPC_URLS' } },
      })
    })

    test('queries the chain once for concurrent calls with one message', async () => {
      const contract = await contracts.deployed()
      const body = await signedByNow(contract, { chainId: 31_337 })
      const works = createRpcChains(new Map([[31_337, chainUrl]]))
      let asked = 0
      chains.set(context.ports, {
        ...works,
        verifyMessage(question, signal) {
          asked += 1
          return works.verifyMessage(question, signal)
        },
      })
      const answers = await Promise.all(Array.from({ length: 12 }, () => login(body)))
      expect(asked).toBe(1)
      expect(answers.map(({ status }) => status).sort()).toEqual([
        200,
        ...Array.from({ length: 11 }, () => 422),
      ])
    })

    test('may use the same message in another call after the chain failed, and then no more', async () => {
      const contract = await contracts.deployed()
      const body = await signedByNow(contract, { chainId: 31_337 })
      chains.set(context.ports, createRpcChains(new Map([[31_337, 'http://127.0.0.1:1']])))
      expect(await login(body, browser, 'chain-failed')).toMatchObject({ status: 503 })
      chains.set(context.ports, createRpcChains(new Map([[31_337, chainUrl]])))
      expect(await login(body)).toMatchObject({ status: 200 })
      const used = { status: 422, answer: { code: 'invalid_credentials', details: { reason: 'nonce' } } }
      expect(await login(body)).toMatchObject(used)
      expect(await login(body, browser, 'chain-failed')).toMatchObject(used)
    })

    test('may repeat the call after the chain failed', async () => {
      const contract = await contracts.deployed()
      const body = await signedByNow(contract, { chainId: 31_337 })
      chains.set(context.ports, createRpcChains(new Map([[31_337, 'http://127.0.0.1:1']])))
      expect(await login(body, browser, 'tried-again')).toMatchObject({
        status: 503,
        answer: { code: 'unavailable' },
      })
      expect(logged()[0]).toMatchObject({ msg: 'A chain did not answer', why: 'TypeError: fetch failed' })
      chains.set(context.ports, createRpcChains(new Map([[31_337, chainUrl]])))
      expect(await login(body, browser, 'tried-again')).toMatchObject({ status: 200 })
    })
  })

  test('an app without wallet login refuses each call', async () => {
    const body = await signedByNow()
    const { token } = await browser.login()
    await setFields(context.db, context.clock, app.id, [['wallet_auth', false]])
    context.clock.advanceSeconds(5)
    const no = { status: 403, answer: { code: 'disallowed_login_method' } }
    expect(await begin()).toMatchObject(no)
    expect(await login(body)).toMatchObject(no)
    expect(await browser.call('linkWallet', { token, body })).toMatchObject(no)
  })

  test('refuses a wallet that is not on the allowlist', async () => {
    await setFields(context.db, context.clock, app.id, [['allowlist_enabled', true]])
    await changeAllowlist(context.db, app.id, 'add', 'wallet', wallet.address)
    context.clock.advanceSeconds(5)
    expect(await login(await signedByNow(createKeyWallet()))).toMatchObject({
      status: 401,
      answer: { code: 'allowlist_rejected' },
    })
    expect(await login(await signedByNow())).toMatchObject({ status: 200 })
  })
})
