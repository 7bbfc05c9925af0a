import { LatchkeyError, type UserRecord } from '@latchkey/protocol'
import { base58 } from '@scure/base'
import { describe, expect, test } from 'vitest'
import { bytesToHex } from '../../browser/hex.ts'
import { makeFakeChain } from '../../testing/chain.ts'
import { settle } from '../../testing/clock.ts'
import {
  type Fixture,
  type FixtureOptions,
  makeFakeWallet,
  makeFixture,
  watch,
} from '../../testing/fixture.ts'
import {
  inlineConfig,
  makeAuthAnswer,
  solanaAccount,
  solanaAddress,
  visitorUser,
  walletAccount,
  walletUser,
} from '../../testing/fixtures.ts'
import { renderDialog, submitEmail } from '../../testing/page.tsx'
import type { SolanaWallet } from '../../wallet/lazy/solana-wallet.ts'
import { capabilities } from '../index.ts'
import { signThrough } from '../sign/sign.ts'

const solanaUser: UserRecord = {
  ...visitorUser,
  linkedAccounts: [...visitorUser.linkedAccounts, solanaAccount],
}

const withRpcNodes = { app: { solanaRpcUrls: { mainnet: ['https://rpc.example'] } } } satisfies FixtureOptions

async function fixtureOf(user: UserRecord | null, change: FixtureOptions = {}) {
  const fixture = await makeFixture({
    answers: { me: () => solanaUser, logout: () => ({ success: true }) },
    ...change,
  })
  if (user) fixture.session.accept(makeAuthAnswer({ user }))
  return fixture
}
/** Creates a fake wallet with these Solana calls replaced. */
function withSolana(own: Partial<SolanaWallet>) {
  const { solana } = makeFakeWallet()
  return { solana: async () => ({ ...(await solana()), ...own }) }
}
const create = async (fixture: Fixture) => fixture.more('createSolanaWallet', {})

describe('createSolanaWallet', () => {
  test('creates the wallet without a card, and returns it as an account of the user', async () => {
    const fixture = await fixtureOf(visitorUser)
    expect(await create(fixture)).toEqual({ wallet: solanaAccount })
    expect(fixture.wallet.log).toEqual(['solana create'])
    expect(fixture.views).toEqual([])
    // spec W4.8
    expect(fixture.events).toEqual([
      'embedded_solana_wallet_creation_started',
      'embedded_solana_wallet_creation_completed',
    ])
  })

  // spec W3.2, W3.3
  test.each([
    ['an Ethereum wallet', walletUser],
    ['a Solana wallet', solanaUser],
  ])('rejects for a user with %s', async (_what, user) => {
    const fixture = await fixtureOf(user)
    await expect(create(fixture)).rejects.toMatchObject({ code: 'embedded_wallet_already_exists' })
    expect([...fixture.wallet.log, ...fixture.events]).toEqual([])
  })

  // spec W3.3
  test('allows an Ethereum wallet to be created later', async () => {
    const both = { ...solanaUser, linkedAccounts: [...solanaUser.linkedAccounts, walletAccount] }
    const fixture = await fixtureOf(solanaUser, { answers: { me: () => both } })
    expect(await fixture.createWallet()).toEqual(walletAccount)
  })

  test('rejects for a visitor, and if the app requires user-owned recovery', async () => {
    await expect(create(await fixtureOf(null))).rejects.toMatchObject({ code: 'must_be_authenticated' })
    const chosen = { config: { embeddedWallets: { requireUserOwnedRecoveryOnCreate: true } } } as const
    await expect(create(await fixtureOf(visitorUser, chosen))).rejects.toMatchObject({
      code: 'disallowed_recovery_method',
    })
  })

  test('creates one wallet for concurrent calls', async () => {
    const fixture = await fixtureOf(visitorUser)
    await Promise.all([create(fixture), create(fixture)])
    expect(fixture.wallet.log).toEqual(['solana create'])
  })

  test('rejects with a generic code, but keeps codes that the caller can act on', async () => {
    const failing = (code: 'call_timeout' | 'embedded_wallet_already_exists') =>
      fixtureOf(visitorUser, {
        wallet: withSolana({ create: () => Promise.reject(new LatchkeyError(code, 'It failed')) }),
      })
    const fixture = await failing('call_timeout')
    await expect(create(fixture)).rejects.toMatchObject({
      code: 'unknown_embedded_wallet_error',
      details: { cause: 'call_timeout' },
    })
    expect(fixture.events.at(-1)).toBe('embedded_solana_wallet_creation_failed')
    await expect(create(await failing('embedded_wallet_already_exists'))).rejects.toMatchObject({
      code: 'embedded_wallet_already_exists',
    })
  })
})

describe('createSolanaWallet for a user with an Ethereum wallet', () => {
  const app = { solanaBesideEthereum: true }
  const bothUser = { ...walletUser, linkedAccounts: [...walletUser.linkedAccounts, solanaAccount] }
  const besideOf = async (own: Partial<SolanaWallet> = {}, change: FixtureOptions = {}) => {
    const derived: unknown[] = []
    const wallet = withSolana({
      async create({ ethereumAddress, verification } = {}) {
        derived.push(ethereumAddress)
        await own.create?.({ verification })
        return solanaAddress
      },
    })
    const answers = { me: () => bothUser }
    const fixture = await fixtureOf(walletUser, {
      app,
      answers,
      ...change,
      wallet: { ...wallet, ...change.wallet },
    })
    return { fixture, derived }
  }

  test('lets that wallet derive the address without a card, with any recovery method', async () => {
    const chosen = { config: { embeddedWallets: { requireUserOwnedRecoveryOnCreate: true } } } as const
    const { fixture, derived } = await besideOf({}, chosen)
    expect(await create(fixture)).toEqual({ wallet: solanaAccount })
    expect(derived).toEqual([walletAccount.address])
    expect(fixture.views).toEqual([])
  })

  test('recovers that wallet first in a browser without a share', async () => {
    let isHere = false
    const { fixture, derived } = await besideOf(
      {
        async create() {
          if (!isHere) throw new LatchkeyError('wallet_not_on_device', 'No share here')
          return solanaAddress
        },
      },
      {
        wallet: {
          async recover() {
            isHere = true
          },
        },
      },
    )
    expect(await create(fixture)).toEqual({ wallet: solanaAccount })
    expect(derived).toHaveLength(2)
  })

  test('rejects for an imported wallet, and in an app without the setting', async () => {
    const imported = {
      ...visitorUser,
      linkedAccounts: [{ ...walletAccount, imported: true }],
    }
    const fixture = await fixtureOf(imported, { app })
    await expect(create(fixture)).rejects.toMatchObject({ code: 'not_supported' })
    const { fixture: without } = await besideOf({}, { app: {} })
    await expect(create(without)).rejects.toMatchObject({ code: 'embedded_wallet_already_exists' })
  })
})

describe('a login with createOnLogin for both chains', () => {
  const config = {
    embeddedWallets: { createOnLogin: { ethereum: 'all-users', solana: 'all-users' } },
  } as const
  const bothUser = { ...walletUser, linkedAccounts: [...walletUser.linkedAccounts, solanaAccount] }
  async function logIn(own: Partial<SolanaWallet> = {}) {
    let user: UserRecord = visitorUser
    const fixture = await makeFixture({
      app: { solanaBesideEthereum: true },
      config,
      wallet: {
        async create() {
          user = walletUser
          return walletAccount.address
        },
        ...withSolana({
          async create() {
            user = bothUser
            return solanaAddress
          },
          ...own,
        }),
      },
      answers: {
        sendEmailCode: () => ({ success: true }),
        loginWithEmailCode: () => makeAuthAnswer({ user: visitorUser }),
        me: () => user,
      },
    })
    const login = watch(fixture.login())
    await settle()
    const page = await submitEmail(fixture, 'ada@example.org')
    await page.type('Digit 1 of 6', '123456')
    await fixture.clock.advance(10_000)
    return { login, fixture }
  }

  test('creates both wallets', async () => {
    const { login } = await logIn()
    expect(login.value).toMatchObject({
      user: { linkedAccounts: [{ type: 'email' }, walletAccount, solanaAccount] },
    })
  })

  test('succeeds without a Solana wallet if that fails', async () => {
    const { login, fixture } = await logIn({
      create: () => Promise.reject(new LatchkeyError('missing_or_invalid_mfa', 'A second factor is needed')),
    })
    expect(login.value).toMatchObject({ user: { linkedAccounts: [{ type: 'email' }, walletAccount] } })
    expect(fixture.view()?.open).toBe(false)
  })
})

describe('solanaWallet', () => {
  test('returns the wallet, and the app name if the wallet is to be announced', async () => {
    const fixture = await fixtureOf(solanaUser)
    expect(await fixture.more('solanaWallet', { announce: false })).toEqual({ wallet: solanaAccount })
    expect(await fixture.more('solanaWallet', { announce: true })).toEqual({
      wallet: solanaAccount,
      announced: { name: 'Demo' },
    })
  })

  test('signs transactions in apps with RPC nodes of Solana', async () => {
    const fixture = await fixtureOf(solanaUser, withRpcNodes)
    expect(await fixture.more('solanaWallet', { announce: false })).toEqual({
      wallet: solanaAccount,
      signsTransactions: true,
    })
  })

  test('rejects for a user without a Solana wallet', async () => {
    const fixture = await fixtureOf(walletUser)
    await expect(fixture.more('solanaWallet', { announce: false })).rejects.toMatchObject({
      code: 'embedded_wallet_not_found',
    })
  })
})

describe('signSolanaTransaction', () => {
  /** Sends 7 lamports to an account of this key, with the note 'Rent \u202e'. */
  const recipient = new Uint8Array(32).fill(7)
  const memo = base58.decode('MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr')
  const transaction = bytesToHex(
    Uint8Array.from([
      ...[1, ...new Uint8Array(64), 1, 0, 2, 4],
      ...[...base58.decode(solanaAddress), ...recipient, ...new Uint8Array(32), ...memo],
      ...new Uint8Array(32).fill(9),
      ...[2, 2, 2, 0, 1, 12, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
      ...[3, 0, 8, ...new TextEncoder().encode('Rent \u202e')],
    ]),
  )
  const ask = async (fixture: Fixture, asked: string = transaction) => {
    const signing = watch(fixture.more('signSolanaTransaction', { transaction: asked }))
    await settle()
    return signing
  }

  test('shows the effects of the transaction, and signs these bytes', async () => {
    const fixture = await fixtureOf(solanaUser, withRpcNodes)
    const page = renderDialog(fixture)
    const signing = await ask(fixture)
    await page.see('Review transaction')
    await page.see(`Send 0.000000007 SOL to ${base58.encode(recipient)}.`)
    await page.see('The fees are at most 0.000005 SOL.')
    expect(page.texts()).toContain('U+202E')
    expect(page.has('Signing this message will not cost you any fees.')).toBe(false)
    await page.approve()
    expect(signing.value).toEqual({ transaction: '0x5011', address: solanaAddress })
    expect(fixture.wallet.log).toEqual(
      expect.arrayContaining(['solana connect', 'confirm', `solana sign transaction ${transaction}`]),
    )
  })

  test.each([
    ['no hex', 'AQAAAA=='],
    ['malformed bytes', '0x01'],
    ['trailing bytes', `${transaction}00`],
    ['more than 1,232 bytes', `0x${'01'.repeat(1_233)}`],
  ])('rejects %s before a screen is shown', async (_what, asked) => {
    const fixture = await fixtureOf(solanaUser, withRpcNodes)
    const signing = await ask(fixture, asked)
    expect(signing.error).toMatchObject({ code: 'invalid_data' })
    expect(fixture.views).toEqual([])
  })

  // spec W8.39
  test('is not supported in an app without RPC nodes of Solana', async () => {
    const signing = await ask(await fixtureOf(solanaUser))
    expect(signing.error).toMatchObject({
      code: 'not_supported',
      message: 'Embedded Solana provider does not yet support this RPC method.',
    })
  })

  test('rejects for a user with only an Ethereum wallet', async () => {
    const signing = await ask(await fixtureOf(walletUser, withRpcNodes))
    expect(signing.error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })
})

describe('signInSolana', () => {
  const ask = async (fixture: Fixture, fields: object) => {
    const signing = watch(fixture.more('signInSolana', { fields }))
    await settle()
    return signing
  }
  const host = new URL(inlineConfig.hostOrigin ?? '').host

  test('shows the message with the domain of the page, and signs in with its fields', async () => {
    const fixture = await fixtureOf(solanaUser)
    const page = renderDialog(fixture)
    const signing = await ask(fixture, { statement: 'Welcome', address: solanaAddress })
    await page.see(/Welcome/)
    await page.approve()
    const message = `${host} wants you to sign in with your Solana account:\n${solanaAddress}\n\nWelcome`
    expect(signing.value).toEqual({ message, signature: 'solana-signature', address: solanaAddress })
    const fields = JSON.stringify({ statement: 'Welcome', domain: host })
    expect(fixture.wallet.log).toContain(`solana sign in ${fields}`)
  })

  test('blocks the domain of another site', async () => {
    const fixture = await fixtureOf(solanaUser)
    const page = renderDialog(fixture)
    const signing = await ask(fixture, { domain: 'evil.example' })
    expect(signing.error).toMatchObject({ code: 'invalid_message' })
    await page.see('This request was blocked')
    expect(fixture.wallet.log).toEqual([])
  })

  test.each([
    ['another address', { address: '1'.repeat(32) }],
    ['a statement of two lines', { statement: 'a\nb' }],
  ])('rejects %s before a screen is shown', async (_what, fields) => {
    const fixture = await fixtureOf(solanaUser)
    const signing = await ask(fixture, fields)
    expect(signing.error).toMatchObject({ code: 'invalid_data' })
    expect(fixture.views).toEqual([])
  })
})

describe('sendSolanaTransaction', () => {
  /** A transaction of the wallet with these signatures, each of one repeated byte. */
  const toTransaction = (...signatures: number[]) =>
    bytesToHex(
      Uint8Array.from([
        ...[signatures.length, ...signatures.flatMap((byte) => [...new Uint8Array(64).fill(byte)])],
        ...[signatures.length, 0, 1, 1 + signatures.length, ...base58.decode(solanaAddress)],
        ...signatures.slice(1).flatMap((_, at) => [...new Uint8Array(32).fill(at + 1)]),
        ...[...new Uint8Array(32), ...new Uint8Array(32).fill(9)],
        ...[1, signatures.length, 2, 0, 0, 12, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
      ]),
    )
  const nodes = { devnet: ['https://devnet.example'], testnet: ['https://testnet.example'] }

  async function send(
    asked: object,
    solanaRpcUrls: Readonly<Record<string, string[]>> = nodes,
    { app, answers, signed = toTransaction(5) }: FixtureOptions & { signed?: string } = {},
  ) {
    const urls: string[] = []
    const sentBytes: unknown[] = []
    const signedBytes: string[] = []
    const chain = makeFakeChain({
      sendTransaction(bytes) {
        sentBytes.push(bytes)
        return 'signature'
      },
      isBlockhashValid: () => ({ value: true }),
      getSignatureStatuses: () => ({ value: [{ err: null, confirmationStatus: 'confirmed' }] }),
    })
    const fetch: typeof chain.fetch = (url, init) => {
      urls.push(url)
      return chain.fetch(url, init)
    }
    const fixture = await fixtureOf(solanaUser, {
      app: { solanaRpcUrls, ...app },
      answers: { me: () => solanaUser, ...answers },
      capabilities: [...capabilities.filter(({ name }) => name !== 'sign'), signThrough(fetch)],
      wallet: withSolana({
        async signTransaction(_address, transaction) {
          signedBytes.push(transaction)
          return signed
        },
      }),
    })
    const page = renderDialog(fixture)
    const sending = watch(fixture.more('sendSolanaTransaction', { transaction: toTransaction(0), ...asked }))
    await settle()
    return { page, sending, urls, fixture, sentBytes, signedBytes }
  }

  test('sends the approved transaction to the nodes of the cluster', async () => {
    const { page, sending, urls } = await send({ cluster: 'testnet' })
    await page.see('Review transaction')
    expect(urls).toEqual([])
    await page.approve()
    await settle()
    expect(sending.value).toEqual({
      signature: base58.encode(new Uint8Array(64).fill(5)),
      address: solanaAddress,
    })
    expect(new Set(urls)).toEqual(new Set(nodes.testnet))
  })

  test('sends nothing that the user rejects', async () => {
    const { fixture, sending, urls } = await send({ cluster: 'devnet' })
    await fixture.close()
    expect(sending.error).toMatchObject({ code: 'user_rejected_request' })
    expect(urls).toEqual([])
  })

  test.each([
    ['a cluster without nodes', { cluster: 'mainnet' }, 'unsupported_chain_id'],
    ['no cluster in an app with several', {}, 'unsupported_chain_id'],
    ['missing signatures of others', { cluster: 'devnet', transaction: toTransaction(0, 0) }, 'invalid_data'],
  ])('rejects %s before a screen is shown', async (_what, asked, code) => {
    const { sending, fixture } = await send(asked)
    expect(sending.error).toMatchObject({ code })
    expect(fixture.views).toEqual([])
  })

  test('needs no cluster in an app with one and accepts signatures of others, and is not supported in an app without nodes', async () => {
    const { page } = await send({}, { devnet: nodes.devnet })
    await page.see('Review transaction')
    const cosigned = await send({ cluster: 'devnet', transaction: toTransaction(0, 7) })
    await cosigned.page.see('Review transaction')
    const { sending } = await send({ cluster: 'devnet' }, {})
    expect(sending.error).toMatchObject({ code: 'not_supported' })
  })

  describe('on a cluster whose fees the operator pays', () => {
    const payer = new Uint8Array(32).fill(8)
    /** The same transaction with the operator before the wallet. */
    const toPaid = (signatures: [operator: number, wallet: number] = [0, 0], accounts = [1, 1]) =>
      bytesToHex(
        Uint8Array.from([
          ...[2, ...signatures.flatMap((byte) => [...new Uint8Array(64).fill(byte)])],
          ...[2, 0, 1, 3, ...payer, ...base58.decode(solanaAddress), ...new Uint8Array(32)],
          ...new Uint8Array(32).fill(9),
          ...[1, 2, accounts.length, ...accounts, 12, 2, 0, 0, 0, 7, 0, 0, 0, 0, 0, 0, 0],
        ]),
      )
    const asked = { cluster: 'devnet' }
    const sponsored = (
      quoteSolanaTransaction: () => { transaction: string; usd: string | null },
    ): FixtureOptions & { signed: string } => ({
      app: { sponsoredClusters: ['devnet'] },
      answers: {
        quoteSolanaTransaction,
        signSolanaTransaction: () => ({
          signature: base58.encode(new Uint8Array(64).fill(6)),
          transaction: toPaid([6, 5]),
        }),
      },
      signed: toPaid([0, 5]),
    })

    test('the operator is the fee payer, and signs after the wallet', async () => {
      const { page, sending, sentBytes, signedBytes, fixture } = await send(
        asked,
        nodes,
        sponsored(() => ({ transaction: toPaid(), usd: '0.01' })),
      )
      await page.see('Review transaction')
      await page.see(`The fees are paid by ${base58.encode(payer)}.`)
      await page.approve()
      await settle()
      expect(sending.value).toEqual({
        signature: base58.encode(new Uint8Array(64).fill(6)),
        address: solanaAddress,
      })
      expect(signedBytes).toEqual([toPaid()])
      const bodies = (name: 'quoteSolanaTransaction' | 'signSolanaTransaction') =>
        fixture.transport.calls(name).map(({ body }) => body)
      const wallet = { address: solanaAddress, cluster: 'devnet' }
      expect(bodies('quoteSolanaTransaction')).toEqual([{ ...wallet, transaction: toTransaction(0) }])
      expect(bodies('signSolanaTransaction')).toEqual([{ ...wallet, transaction: toPaid([0, 5]) }])
      const sent = Buffer.from(toPaid([6, 5]).slice(2), 'hex').toString('base64')
      expect(new Set(sentBytes)).toEqual(new Set([sent]))
    })

    test.each(['not_supported', 'transaction_failure', 'too_many_requests', 'unavailable'] as const)(
      'the wallet pays if the operator does not (%s)',
      async (code) => {
        const options = sponsored(() => {
          throw new LatchkeyError(code, 'Not paid')
        })
        const { page, sending, signedBytes } = await send(asked, nodes, {
          ...options,
          signed: toTransaction(5),
        })
        await page.see('The fees are at most 0.000005 SOL.')
        await page.approve()
        await settle()
        expect(sending.value).toMatchObject({ address: solanaAddress })
        expect(signedBytes).toEqual([toTransaction(0)])
      },
    )

    test.each([
      ['another instruction', toPaid([0, 0], [1, 0])],
      ['no other payer', toTransaction(7)],
    ])('rejects a quote with %s before a screen is shown', async (_what, transaction) => {
      const { sending, fixture } = await send(
        asked,
        nodes,
        sponsored(() => ({ transaction, usd: null })),
      )
      expect(sending.error).toMatchObject({ code: 'invalid_answer' })
      expect(fixture.views).toEqual([])
    })

    test('nothing is sent if the operator does not sign in the end', async () => {
      const options = sponsored(() => ({ transaction: toPaid(), usd: null }))
      const { page, sending, urls } = await send(asked, nodes, {
        ...options,
        answers: {
          ...options.answers,
          signSolanaTransaction: () => {
            throw new LatchkeyError('not_supported', 'The fees exceed what is paid for users')
          },
        },
      })
      await page.see('Review transaction')
      await page.approve()
      await settle()
      expect(sending.error).toMatchObject({ code: 'not_supported' })
      expect(urls).toEqual([])
    })
  })
})

describe('signSolanaMessage', () => {
  const ask = async (fixture: Fixture, message: unknown = 'Hello') => {
    const signing = watch(fixture.more('signSolanaMessage', { message }))
    await settle()
    return signing
  }

  test('shows the message with the Solana wallet, and signs with it', async () => {
    const fixture = await fixtureOf({
      ...solanaUser,
      linkedAccounts: [walletAccount, ...solanaUser.linkedAccounts],
    })
    const page = renderDialog(fixture)
    const signing = await ask(fixture)
    await page.see('Hello')
    expect(document.querySelector(`[title="${solanaAddress}"]`)).not.toBeNull()
    await page.approve()
    expect(signing.value).toEqual({ signature: 'solana-signature', address: solanaAddress })
    expect(fixture.wallet.log).toEqual(
      expect.arrayContaining(['solana connect', 'confirm', 'prepareSign', 'solana sign Hello']),
    )
  })

  // spec W5.9
  test.each([[7], [null], [['Hello']], ['']])(
    'rejects the message %j before a screen is shown',
    async (message) => {
      const fixture = await fixtureOf(solanaUser)
      const signing = await ask(fixture, message)
      expect(signing.error).toMatchObject({ code: 'invalid_message' })
      expect(fixture.views).toEqual([])
    },
  )

  test('rejects for a user with only an Ethereum wallet', async () => {
    const signing = await ask(await fixtureOf(walletUser))
    expect(signing.error).toMatchObject({ code: 'embedded_wallet_not_found' })
  })

  test('blocks a message that logs in at another site', async () => {
    const fixture = await fixtureOf(solanaUser)
    const message = `evil.example wants you to sign in with your Solana account:\n${solanaAddress}`
    const page = renderDialog(fixture)
    const signing = await ask(fixture, message)
    expect(signing.error).toMatchObject({ code: 'invalid_message' })
    await page.see('This request was blocked')
  })

  test('recovers automatically, once, in a browser without a share', async () => {
    let isHere = false
    const log: string[] = []
    const fixture = await fixtureOf(solanaUser, {
      wallet: withSolana({
        async connect() {
          if (!isHere) throw new LatchkeyError('wallet_not_on_device', 'No share here')
        },
        async recover(publicKey) {
          log.push(publicKey)
          isHere = true
        },
      }),
    })
    const page = renderDialog(fixture)
    const signing = await ask(fixture)
    await page.approve()
    expect(signing.value).toMatchObject({ address: solanaAddress })
    expect(log).toEqual([solanaAddress])
    // spec W4.8
    expect(fixture.events).toEqual([
      'modal_open',
      'embedded_wallet_sign_message_started',
      'embedded_solana_wallet_pinless_recovery_started',
      'embedded_solana_wallet_recovery_completed',
      'embedded_wallet_sign_message_completed',
    ])
  })

  test('rejects as refused by the user', async () => {
    const fixture = await fixtureOf(solanaUser)
    const signing = await ask(fixture)
    await fixture.close()
    expect(signing.error).toMatchObject({ code: 'user_rejected_request', details: { code: 4001 } })
  })
})
