import { LatchkeyError } from '@latchkey/protocol'
import { base58 } from '@scure/base'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Page } from '../../client/page.ts'
import { getSolanaProvider } from './provider.ts'

/** The address of the mnemonic 'abandon … about', and its bytes. */
const address = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'
const appId = 'a'.repeat(25)
const keyHex = 'f036276246a75b9de3349ed42b15e232f6518fc20f5fcd4f1d64e81f9bd258f7'
const wallet = { type: 'wallet', address, chainType: 'solana' } as const
const answer = (more = {}) => ({ wallet: { ...wallet, ...more } as never })
/** The first byte of 64 is 1. */
const signature = `${'1'.repeat(63)}2`

function pageThatSigns() {
  const asked: unknown[] = []
  const send: Page['send'] = async (name, data) => {
    asked.push([name, data()])
    return { signature, transaction: '0x0203', message: 'text', address }
  }
  return { asked, page: { send, events: new EventTarget(), appId } }
}

test('base58 decoding keeps leading zeros', () => {
  expect(Buffer.from(base58.decode(address)).toString('hex')).toBe(keyHex)
  expect(base58.decode('1'.repeat(32))).toEqual(new Uint8Array(32))
  expect(base58.decode(signature)).toEqual(Uint8Array.from({ length: 64 }, (_, at) => Number(at === 63)))
})

describe('the provider', () => {
  test('has the address and the public key, and is the same object until the wallet changes', () => {
    const { page } = pageThatSigns()
    const provider = getSolanaProvider(page, answer())
    expect(provider.address).toBe(address)
    expect(Buffer.from(provider.publicKey).toString('hex')).toBe(keyHex)
    expect(getSolanaProvider(page, answer())).toBe(provider)
    expect(getSolanaProvider(page, answer({ address: '1'.repeat(32) }))).not.toBe(provider)
  })

  test('sends the message and texts of the page to the dialog, without its signal', async () => {
    const { page, asked } = pageThatSigns()
    const { signal } = new AbortController()
    const signed = await getSolanaProvider(page, answer()).signMessage('hello', { title: 'T', signal })
    expect(asked).toEqual([
      ['moreForUser', { call: 'signSolanaMessage', data: { message: 'hello', ui: { title: 'T' } } }],
    ])
    expect(signed).toEqual({ signature: base58.decode(signature), address })
  })

  test('accepts bytes that are UTF-8 text, and rejects others without a prompt', async () => {
    const { page, asked } = pageThatSigns()
    const { signMessage } = getSolanaProvider(page, answer())
    await signMessage(new TextEncoder().encode('\ufeffGrüße'))
    expect(asked).toMatchObject([['moreForUser', { data: { message: '\ufeffGrüße' } }]])
    await expect(signMessage(Uint8Array.of(0xff, 0xfe))).rejects.toMatchObject({ code: 'invalid_message' })
    expect(asked).toHaveLength(1)
  })

  test('rejects if the user closes the empty card or the caller aborts', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const events = new EventTarget()
    const send: Page['send'] = (_name, _data, signal) => {
      signals.push(signal)
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
    }
    const { signMessage } = getSolanaProvider({ send, events, appId }, answer())
    const signing = signMessage('hello')
    events.dispatchEvent(new Event('refused'))
    await expect(signing).rejects.toMatchObject({ code: 'user_rejected_request' })
    expect(signals[0]?.aborted).toBe(true)
    const caller = new AbortController()
    const takenBack = signMessage('hello', { signal: caller.signal })
    caller.abort(new Error('mine'))
    await expect(takenBack).rejects.toThrow('mine')
    expect(signals[1]?.aborted).toBe(true)
  })

  // spec W5.9
  test('leaves other values to the dialog, which rejects them', async () => {
    const { page, asked } = pageThatSigns()
    const provider = getSolanaProvider(page, answer())
    await provider.request({ method: 'signMessage', params: { message: 7 } })
    expect(asked).toMatchObject([['moreForUser', { data: { message: 7 } }]])
  })

  test('sends the bytes of a transaction to the dialog as hex, and returns the signed bytes', async () => {
    const { page, asked } = pageThatSigns()
    const provider = getSolanaProvider(page, { ...answer(), signsTransactions: true })
    const signed = { signedTransaction: Uint8Array.of(2, 3), address }
    expect(await provider.signTransaction(Uint8Array.of(0, 255), { title: 'T' })).toEqual(signed)
    const params = { transaction: Uint8Array.of(1) }
    expect(await provider.request({ method: 'signTransaction', params })).toEqual(signed)
    expect(asked).toEqual([
      ['moreForUser', { call: 'signSolanaTransaction', data: { transaction: '0x00ff', ui: { title: 'T' } } }],
      ['moreForUser', { call: 'signSolanaTransaction', data: { transaction: '0x01', ui: {} } }],
    ])
  })

  test('sends the bytes of a transaction to send with its cluster, and returns the signature as bytes', async () => {
    const { page, asked } = pageThatSigns()
    const provider = getSolanaProvider(page, { ...answer(), signsTransactions: true })
    const sent = { signature: base58.decode(signature), address }
    const options = { cluster: 'devnet', commitment: 'finalized', title: 'T' } as const
    expect(await provider.signAndSendTransaction(Uint8Array.of(0, 255), options)).toEqual(sent)
    const params = { transaction: Uint8Array.of(1) }
    expect(await provider.request({ method: 'signAndSendTransaction', params })).toEqual(sent)
    const call = 'sendSolanaTransaction'
    const { title: _title, ...where } = options
    expect(asked).toEqual([
      ['moreForUser', { call, data: { transaction: '0x00ff', ...where, ui: { title: 'T' } } }],
      ['moreForUser', { call, data: { transaction: '0x01', ui: {} } }],
    ])
  })

  test.each([['0x01'], [undefined], [[1]], [{ serialize: () => Uint8Array.of(1) }]])(
    'rejects the transaction %j, which is not bytes',
    async (transaction) => {
      const { page, asked } = pageThatSigns()
      const { signTransaction } = getSolanaProvider(page, answer())
      await expect(signTransaction(transaction as never)).rejects.toMatchObject({ code: 'invalid_data' })
      expect(asked).toEqual([])
    },
  )

  // spec W8.39
  test.each(['signTransaction', 'signAndSendTransaction', 'connect', ''])(
    'rejects the method %j with the text of the specification',
    async (method) => {
      const { page, asked } = pageThatSigns()
      const refused = getSolanaProvider(page, answer()).request({ method })
      await expect(refused).rejects.toBeInstanceOf(LatchkeyError)
      await expect(refused).rejects.toMatchObject({
        code: 'not_supported',
        message: 'Embedded Solana provider does not yet support this RPC method.',
      })
      expect(asked).toEqual([])
    },
  )
})

describe('the Wallet Standard announcement', () => {
  type Account = { address: string; publicKey: Uint8Array }
  type Wallet = {
    name: string
    icon: string
    chains: readonly string[]
    accounts: readonly Account[]
    features: {
      'standard:connect': { connect(): Promise<{ accounts: readonly Account[] }> }
      'standard:events': { on(event: string, listener: (changed: unknown) => void): () => void }
      'solana:signMessage': {
        signMessage(...inputs: readonly { account: Account; message: Uint8Array }[]): Promise<unknown>
      }
    }
  }
  const wallets: Wallet[] = []
  const api = { register: (own: Wallet) => void wallets.push(own) }
  const announced = { ...answer(), announced: { name: 'Demo' } }

  beforeEach(() => {
    wallets.length = 0
    const page = new EventTarget()
    vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
    vi.stubGlobal('dispatchEvent', page.dispatchEvent.bind(page))
  })
  afterEach(() => vi.unstubAllGlobals())
  const libraryIsThere = () =>
    addEventListener('wallet-standard:register-wallet', (event) => Reflect.get(event, 'detail')(api))

  test('is made once, and only if the page requests it', async () => {
    libraryIsThere()
    const { page } = pageThatSigns()
    getSolanaProvider(page, answer())
    expect(wallets).toEqual([])
    getSolanaProvider(page, announced)
    getSolanaProvider(page, announced)
    expect(wallets).toHaveLength(1)
    expect(wallets[0]).toMatchObject({
      version: '1.0.0',
      name: 'Demo',
      icon: expect.stringMatching(/^data:image\/svg\+xml;base64,/),
      chains: ['solana:mainnet', 'solana:devnet', 'solana:testnet'],
      accounts: [{ address, features: ['solana:signMessage', 'solana:signIn'] }],
    })
    expect(await wallets[0]?.features['standard:connect'].connect()).toEqual({
      accounts: wallets[0]?.accounts,
    })
  })

  test('reaches a library that loads later', () => {
    getSolanaProvider(pageThatSigns().page, announced)
    dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
    expect(wallets.map(({ name }) => name)).toEqual(['Demo'])
  })

  test('signs for its account, and for no other', async () => {
    libraryIsThere()
    getSolanaProvider(pageThatSigns().page, announced)
    const [own] = wallets
    const [account] = own?.accounts ?? []
    if (!own || !account) throw new Error('It was not announced')
    const message = new TextEncoder().encode('hello')
    const { signMessage } = own.features['solana:signMessage']
    expect(await signMessage({ account, message }, { account, message })).toEqual([
      { signedMessage: message, signature: base58.decode(signature) },
      { signedMessage: message, signature: base58.decode(signature) },
    ])
    const another = { ...account, address: '1'.repeat(32) }
    await expect(signMessage({ account: another, message })).rejects.toThrow('not connected')
  })

  test('signs transactions if the app allows it, of both versions', async () => {
    libraryIsThere()
    getSolanaProvider(pageThatSigns().page, { ...announced, signsTransactions: true })
    const [own] = wallets
    const feature = Object(own?.features)['solana:signTransaction']
    expect(feature).toMatchObject({ version: '1.0.0', supportedTransactionVersions: ['legacy', 0] })
    expect(own?.accounts).toMatchObject([
      {
        features: [
          'solana:signMessage',
          'solana:signIn',
          'solana:signTransaction',
          'solana:signAndSendTransaction',
        ],
      },
    ])
    const account = own?.accounts[0]
    const input = { account, transaction: Uint8Array.of(1), chain: 'solana:devnet' }
    const signedTransaction = Uint8Array.of(2, 3)
    expect(await feature.signTransaction(input, input)).toEqual([
      { signedTransaction },
      { signedTransaction },
    ])
    const another = { ...input, account: { ...account, address: '1'.repeat(32) } }
    await expect(feature.signTransaction(another)).rejects.toThrow('not connected')
  })

  test('signs in with its account, also without fields', async () => {
    libraryIsThere()
    const { page, asked } = pageThatSigns()
    getSolanaProvider(page, announced)
    const [own] = wallets
    const feature = Object(own?.features)['solana:signIn']
    const [account] = own?.accounts ?? []
    const signedMessage = new TextEncoder().encode('text')
    const output = { account, signedMessage, signature: base58.decode(signature) }
    expect(await feature.signIn()).toEqual([output])
    expect(await feature.signIn({ statement: 'Hi' }, { nonce: 'a1b2c3d4' })).toEqual([output, output])
    expect(asked).toMatchObject(
      [{}, { statement: 'Hi' }, { nonce: 'a1b2c3d4' }].map((fields) => [
        'moreForUser',
        { call: 'signInSolana', data: { fields } },
      ]),
    )
    page.events.dispatchEvent(new CustomEvent('logout', { detail: {} }))
    await expect(feature.signIn()).rejects.toThrow('not connected')
  })

  test('sends transactions to the named chain', async () => {
    libraryIsThere()
    const { page, asked } = pageThatSigns()
    getSolanaProvider(page, { ...announced, signsTransactions: true })
    const [own] = wallets
    const feature = Object(own?.features)['solana:signAndSendTransaction']
    expect(feature).toMatchObject({ version: '1.0.0', supportedTransactionVersions: ['legacy', 0] })
    const input = { account: own?.accounts[0], transaction: Uint8Array.of(1), chain: 'solana:devnet' }
    const options = { commitment: 'finalized', skipPreflight: true }
    expect(await feature.signAndSendTransaction({ ...input, options })).toEqual([
      { signature: base58.decode(signature) },
    ])
    const data = { transaction: '0x01', cluster: 'devnet', commitment: 'finalized', ui: {} }
    expect(asked).toEqual([['moreForUser', { call: 'sendSolanaTransaction', data }]])
    const elsewhere = feature.signAndSendTransaction({ ...input, chain: 'solana:localnet' })
    await expect(elsewhere).rejects.toMatchObject({ code: 'unsupported_chain_id' })
  })

  test('follows its user: the account goes at logout and another comes at login', () => {
    libraryIsThere()
    const { page } = pageThatSigns()
    getSolanaProvider(page, announced)
    const [own] = wallets
    const changes: unknown[] = []
    const stop = own?.features['standard:events'].on('change', (changed) => changes.push(changed))
    page.events.dispatchEvent(new CustomEvent('logout', { detail: {} }))
    expect(own?.accounts).toEqual([])
    getSolanaProvider(page, answer({ address: '1'.repeat(32) }))
    expect(own?.accounts).toMatchObject([{ address: '1'.repeat(32) }])
    expect(changes).toMatchObject([{ accounts: [] }, { accounts: [{ address: '1'.repeat(32) }] }])
    stop?.()
    page.events.dispatchEvent(new CustomEvent('logout', { detail: {} }))
    expect(changes).toHaveLength(2)
  })

  test('restores the account when its user logs in or creates a wallet', () => {
    libraryIsThere()
    const { page } = pageThatSigns()
    getSolanaProvider(page, announced)
    const happen = (name: string, detail: object) =>
      page.events.dispatchEvent(new CustomEvent(name, { detail }))
    const userWith = (...linkedAccounts: object[]) => ({ user: { id: 'u1', linkedAccounts } })
    const embedded = { ...wallet, connectorType: 'embedded' }
    happen('logout', {})
    happen('user', { user: null })
    expect(wallets[0]?.accounts).toEqual([])
    happen('login', userWith(embedded))
    expect(wallets[0]?.accounts).toMatchObject([{ address }])
    happen('user', userWith())
    expect(wallets[0]?.accounts).toEqual([])
    happen('user', userWith(embedded))
    expect(wallets[0]?.accounts).toMatchObject([{ address }])
  })

  test('ends with its client, and the next client of the app announces no second wallet', () => {
    libraryIsThere()
    const { page } = pageThatSigns()
    const before = { ...page, appId: 'c'.repeat(25) }
    getSolanaProvider(before, announced)
    const error = new LatchkeyError('client_destroyed', 'destroyed')
    before.events.dispatchEvent(new CustomEvent('error', { detail: { error } }))
    expect(wallets[0]?.accounts).toEqual([])
    const provider = getSolanaProvider({ ...before, events: new EventTarget() }, announced)
    expect(wallets).toHaveLength(1)
    expect(wallets[0]?.accounts).toMatchObject([{ address: provider.address }])
  })
})
