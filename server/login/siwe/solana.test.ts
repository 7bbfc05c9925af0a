/** Login, link and unlink with an external Solana wallet, over HTTP. */
import { sign as ed25519Sign, generateKeyPairSync } from 'node:crypto'
import { base58 } from '@scure/base'
import * as v from 'valibot'
import { toHex } from 'viem/utils'
import { beforeEach, describe, expect, test } from 'vitest'
import { changeAllowlist } from '../../identity/apps/manage.ts'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { forEachEngine } from '../../kernel/db/test-engines.ts'
import { testVault } from '../../wallet/wallets/testing/vault.ts'
import { host, nonceAnswer, refused, type SiweFixture, siweFixture } from './testing/fixture.ts'

function solanaWallet() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const address = base58.encode(Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url'))
  return { address, sign: (text: string) => toHex(ed25519Sign(null, Buffer.from(text), privateKey)) }
}
type SolanaWallet = ReturnType<typeof solanaWallet>

const disallowed = { answer: { code: 'disallowed_login_method' } }

forEachEngine((database) => {
  let fixture: SiweFixture
  let wallet: SolanaWallet
  beforeEach(async () => {
    fixture = await siweFixture(database(), createRpcChains(new Map()))
    await fixture.set([['solana_wallet_auth', true]])
    wallet = solanaWallet()
  })

  const begin = (of: Pick<SolanaWallet, 'address'> = wallet, from = fixture.browser, origin = host) =>
    from.call('beginSiwe', { body: { address: of.address, origin } })
  const nonceFor = async (of = wallet, from = fixture.browser) =>
    v.parse(nonceAnswer, (await begin(of, from)).answer).nonce

  /** The lines of the message. Tests change some. */
  const lines = (nonce: string, of: Pick<SolanaWallet, 'address'> = wallet) => ({
    first: `${new URL(host).host} wants you to sign in with your Solana account:`,
    address: of.address,
    before: '',
    statement: 'Sign in to Fieldnotes',
    after: '',
    uri: `URI: ${host}`,
    version: 'Version: 1',
    chain: 'Chain ID: solana:mainnet',
    nonce: `Nonce: ${nonce}`,
    issued: `Issued At: ${new Date(fixture.context.clock.nowMs()).toISOString()}`,
  })
  type Lines = ReturnType<typeof lines>
  function signed(all: Partial<Lines>, of: SolanaWallet = wallet, more: string[] = []) {
    const message = [...Object.values(all), ...more].join('\n')
    return { message, signature: of.sign(message), chainId: 'solana:mainnet' }
  }
  const signedByNow = async (of = wallet, from = fixture.browser) =>
    signed(lines(await nonceFor(of, from), of), of)
  const login = (body: unknown, from = fixture.browser) => from.call('loginWithSiwe', { body })

  test('logs in, and shows the wallet as an account of Solana', async () => {
    const body = { ...(await signedByNow()), walletClientType: 'solflare', connectorType: 'wallet_standard' }
    const first = await login(body)
    expect(first).toMatchObject({
      status: 200,
      answer: {
        is_new_user: true,
        user: {
          linked_accounts: [
            {
              type: 'wallet',
              address: wallet.address,
              chain_type: 'solana',
              wallet_client_type: 'solflare',
              connector_type: 'wallet_standard',
            },
          ],
        },
      },
    })
    const { user } = v.parse(sessionAnswer, first.answer)
    const again = await login(await signedByNow(wallet, fixture.newBrowser()), fixture.newBrowser())
    expect(again).toMatchObject(refused('invalid_credentials', 'nonce'))
    expect(v.parse(sessionAnswer, (await login(await signedByNow())).answer).user.id).toBe(user.id)
  })

  test('is refused in an app without the setting, at each call', async () => {
    const body = await signedByNow()
    await fixture.set([['solana_wallet_auth', false]])
    expect(await begin()).toMatchObject(disallowed)
    expect(await login(body)).toMatchObject(disallowed)
    await fixture.set([['solana_wallet_auth', true]])
    await fixture.set([['wallet_auth', false]])
    expect(await begin()).toMatchObject(disallowed)
    expect(await login(body)).toMatchObject(disallowed)
  })

  test('consumes the nonce, which is of one browser, address and origin', async () => {
    const body = await signedByNow()
    const gone = refused('invalid_credentials', 'nonce')
    expect(await login(body, fixture.newBrowser())).toMatchObject(gone)
    const answers = await Promise.all([1, 2, 3].map(() => login(body)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422])
    expect(await login(body)).toMatchObject(gone)
    expect(await begin(wallet, fixture.browser, 'https://evil.example')).toMatchObject({
      answer: { code: 'origin_not_allowed' },
    })
  })

  test.each<[string, Partial<Lines>, string]>([
    ['another domain', { first: 'evil.example wants you to sign in with your Solana account:' }, 'domain'],
    ['another page', { uri: 'URI: https://evil.example' }, 'uri'],
    ['another address', { address: solanaWallet().address }, 'address'],
    ['another cluster', { chain: 'Chain ID: solana:devnet' }, 'chain'],
    ['an older time', { issued: 'Issued At: 2020-01-01T00:00:00.000Z' }, 'issued_at'],
    ['a later time', { issued: 'Issued At: 2099-01-01T00:00:00Z' }, 'issued_at'],
    ['no time', { issued: 'Issued At: yesterday' }, 'format'],
    [
      'an Ethereum account',
      { first: 'demo.localhost:4010 wants you to sign in with your Ethereum account:' },
      'format',
    ],
    [
      'a scheme',
      { first: 'http://demo.localhost:4010 wants you to sign in with your Solana account:' },
      'format',
    ],
    ['another version', { version: 'Version: 2' }, 'format'],
    ['an empty statement', { statement: '' }, 'format'],
    ['a statement of two lines', { statement: 'Sign in\nto Fieldnotes' }, 'format'],
    ['a carriage return', { version: 'Version: 1\r' }, 'format'],
    ['a line between others', { version: 'Version: 1\nRequest ID: 1' }, 'format'],
    ['a second nonce', { issued: 'Issued At: 2020-01-01T00:00:00Z\nNonce: 12345678' }, 'format'],
  ])(
    'refuses a message with %s, and accepts the same nonce in a right message',
    async (_what, change, reason) => {
      const nonce = await nonceFor()
      expect(await login(signed({ ...lines(nonce), ...change }))).toMatchObject(
        refused('invalid_message', reason),
      )
      expect(await login(signed(lines(nonce)))).toMatchObject({ status: 200 })
    },
  )

  test.each([
    [['']],
    [['', 'Transfer: everything']],
    [['Resources:', '- https://evil.example']],
    [['Not Before: 2020-01-01T00:00:00Z', 'Expiration Time: 2099-01-01T00:00:00Z']],
  ])('refuses a message with the further lines %j', async (more) => {
    const nonce = await nonceFor()
    expect(await login(signed(lines(nonce), wallet, more))).toMatchObject(
      refused('invalid_message', 'format'),
    )
  })

  test.each([
    [['Expiration Time: 2099-01-01T00:00:00Z', 'Not Before: 2020-01-01T00:00:00Z'], undefined],
    [['Expiration Time: 2020-01-01T00:00:00Z'], 'expired'],
    [['Not Before: 2099-01-01T00:00:00Z'], 'not_yet_valid'],
  ])('respects the validity in %j', async (more, reason) => {
    const answer = await login(signed(lines(await nonceFor()), wallet, more))
    expect(answer).toMatchObject(reason ? refused('invalid_message', reason) : { status: 200 })
  })

  test('refuses a signature of another key, of another text and of another length', async () => {
    const body = await signedByNow()
    const signatures = [
      solanaWallet().sign(body.message),
      wallet.sign(`${body.message}\n`),
      `${body.signature}00`,
      body.signature.slice(0, -2),
      `0x${'00'.repeat(64)}`,
    ]
    for (const signature of signatures) {
      const fresh = await signedByNow()
      expect(await login({ ...fresh, signature })).toMatchObject(refused('invalid_credentials', 'signature'))
    }
  })

  test('refuses an address that is no key', async () => {
    for (const address of ['1'.repeat(44), wallet.address.slice(0, -2)])
      expect(await begin({ address }), address).toMatchObject({ answer: { code: 'invalid_data' } })
  })

  test('refuses a wallet that is kept here', async () => {
    const vault = await testVault('solana')
    await fixture.context.db
      .insertInto('wallets')
      .values({
        id: 'wal_1',
        app_id: fixture.app.id,
        user_id: 'usr_1',
        kind: 'entropy',
        chain_type: 'ethereum',
        status: 'committed',
        generation: 1,
        address: `0x${'1'.repeat(40)}`,
        recovery_method: 'latchkey',
        auth_share: 'share',
        recovery_share: 'share',
        recovery_access: null,
        last_generation: 1,
        created_at: 1,
        committed_at: 1,
        solana_address: vault.address,
        solana_committed_at: 1,
      })
      .execute()
    const own = { address: vault.address, sign: () => '0x' as const }
    const message = Object.values(lines(await nonceFor(own), own)).join('\n')
    const signature = await vault.personalSign(message)
    expect(await login({ message, signature, chainId: 'solana:mainnet' })).toMatchObject(disallowed)
  })

  test('lets only listed addresses in, if the app has an allowlist', async () => {
    await fixture.set([['allowlist_enabled', true]])
    expect(await login(await signedByNow())).toMatchObject({ answer: { code: 'allowlist_rejected' } })
    await changeAllowlist(fixture.context.db, fixture.app.id, 'add', 'wallet', wallet.address)
    expect(await login(await signedByNow())).toMatchObject({ status: 200 })
  })

  describe('linking', () => {
    const link = async (token: string, of = wallet) =>
      fixture.browser.call('linkWallet', { token, body: await signedByNow(of) })

    test('links a wallet, which then logs the user in, and unlinks it', async () => {
      const { token, user } = await fixture.browser.login('ada@example.com')
      expect(await link(token)).toMatchObject({ status: 200 })
      expect(v.parse(sessionAnswer, (await login(await signedByNow())).answer).user.id).toBe(user.id)
      const body = { address: wallet.address }
      const { answer } = await fixture.browser.call('unlinkWallet', { token, body })
      expect(answer).toMatchObject({ linked_accounts: [{ type: 'email' }] })
      expect(await fixture.browser.call('unlinkWallet', { token, body })).toMatchObject({
        answer: { code: 'linked_account_not_found' },
      })
    })

    test('refuses a wallet of another user', async () => {
      await login(await signedByNow())
      const { token } = await fixture.browser.login('ada@example.com')
      expect(await link(token)).toMatchObject({ answer: { code: 'linked_to_another_user' } })
    })
  })
})
