import { handleCallNames, LatchkeyError, type User } from '@latchkey/loader'
import { stateOf } from '@latchkey/loader/state'
import { createLatchkeyServer } from '@latchkey/server'
import { ed25519 } from '@noble/curves/ed25519.js'
import {
  createPublicClient,
  createWalletClient,
  custom,
  parseEther,
  parseTransaction,
  recoverTransactionAddress,
  verifyMessage,
  verifyTypedData,
} from 'viem'
import { mainnet } from 'viem/chains'
import { describe, expect, it, vi } from 'vitest'
import { mockLatchkey } from './mock.ts'

const mira = { email: 'mira@example.com' }
const someone = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8'
const codeOf = (asked: Promise<unknown>) =>
  asked.then(
    () => 'it did not fail',
    (error) => (error instanceof LatchkeyError ? error.code : error),
  )

describe('a mock', () => {
  it('has the same ids, addresses and tokens for the same options', async () => {
    const now = () => Date.UTC(2026, 0, 1)
    const make = () => mockLatchkey({ user: mira, wallets: ['ethereum', 'solana'], now })
    const read = async (latchkey: ReturnType<typeof make>) => [
      await latchkey.getUser(),
      await latchkey.getAccessToken(),
      await latchkey.signMessage('Two herons'),
      await latchkey.forkSession(),
      (await latchkey.sendTransaction({ to: someone })).transactionHash,
    ]
    const first = await read(make())
    expect(await read(make())).toEqual(first)
    expect(first[0]).toMatchObject({
      displayName: 'mira@example.com',
      createdAt: 1_767_225_600,
      linkedAccounts: [{ type: 'email' }, { chainType: 'ethereum' }, { chainType: 'solana' }],
    })
  })

  it('has another user and wallet for another address, and no wallet if none is requested', async () => {
    const one = await mockLatchkey({ user: mira }).getUser()
    const other = await mockLatchkey({ user: { email: 'jon@example.com' } }).getUser()
    expect(other?.id).not.toBe(one?.id)
    expect(other?.wallet?.address).not.toBe(one?.wallet?.address)
    const without = mockLatchkey({ user: mira, wallets: [] })
    expect((await without.getUser())?.wallet).toBeUndefined()
    expect(await codeOf(without.signMessage('Two herons'))).toBe('embedded_wallet_not_found')
    expect((await without.createWallet()).address).toBe(one?.wallet?.address)
  })

  it('has the wallet of a given key', async () => {
    const privateKey = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80'
    const user = await mockLatchkey({ user: mira, privateKey }).getUser()
    expect(user?.wallet?.address).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
  })

  it('is not affected by a test that modifies its results', async () => {
    const latchkey = mockLatchkey({ user: mira })
    Object.assign((await latchkey.getUser()) ?? {}, { displayName: 'somebody else' })
    expect((await latchkey.getUser())?.displayName).toBe('mira@example.com')
  })

  it('shares nothing with another mock of its app', async () => {
    const one = mockLatchkey({ user: mira, chains: [1, 10] })
    const other = mockLatchkey({ user: mira, chains: [1, 10] })
    const told: unknown[] = []
    ;(await other.getEthereumProvider()).on('chainChanged', (chainId) => told.push(chainId))
    await one.control.switchChain(10)
    await one.control.logOut()
    expect(await (await other.getEthereumProvider()).request({ method: 'eth_chainId' })).toBe('0x1')
    expect((await other.getUser())?.email).toEqual({ address: 'mira@example.com' })
    expect(told).toEqual([])
  })

  it("accepts a test's own functions as members", async () => {
    const latchkey = mockLatchkey()
    vi.spyOn(latchkey, 'getAccessToken').mockResolvedValue('a token')
    expect(await latchkey.getAccessToken()).toBe('a token')
    vi.restoreAllMocks()
    expect(await latchkey.getAccessToken()).toBeNull()
  })
})

describe('every call of the loader', () => {
  const argumentsOf: Readonly<Record<string, (user: User) => readonly unknown[]>> = {
    setConfig: () => [{}],
    reauthorize: () => [{ provider: 'google' }],
    linkCrossAppAccount: () => [{ appId: 'lkanother0000000000000001' }],
    unlinkCrossAppAccount: ({ linkedAccounts }) => [linkedAccounts.find(({ type }) => type === 'cross_app')],
    linkOidcAccount: () => [{ provider: 'oidc:globex' }],
    unlinkOidcAccount: ({ linkedAccounts }) => [
      { provider: 'oidc:acme', ...linkedAccounts.find(({ type }) => type === 'oidc') },
    ],
    enrollMfa: () => ['totp'],
    unenrollMfa: () => ['totp'],
    initMfa: () => ['sms'],
    submitMfa: () => ['sms', '123456'],
    fundWallet: ({ wallet }) => [wallet?.address],
    signMessage: () => ['Two herons'],
    signTypedData: () => [note],
    sendTransaction: () => [{ to: someone }],
    signFarcasterMessage: () => [new Uint8Array(20)],
  }
  // Account calls have their own tests.
  const names = handleCallNames.filter((name) => !/^(un)?link[A-Z]/.test(name) || name.endsWith('Account'))

  it.each(names)('%s resolves for a permitted user', async (name) => {
    const latchkey = mockLatchkey({
      user: mira,
      wallets: /^(create|import)/.test(name) ? [] : ['ethereum', 'solana'],
    })
    await latchkey.linkGoogle()
    await latchkey.linkFarcaster()
    await latchkey.linkOidcAccount({ provider: 'oidc:acme' })
    const user = await latchkey.linkCrossAppAccount({ appId: 'lkother000000000000000001' })
    const call: (...args: readonly unknown[]) => Promise<unknown> = Reflect.get(latchkey, name)
    await expect(call(...(argumentsOf[name]?.(user) ?? []))).resolves.not.toBeInstanceOf(Error)
    expect(latchkey.control.calls.at(-1)?.name).toBe(name)
  })
})

describe('a signature of the mock', () => {
  const latchkey = mockLatchkey({ user: mira })
  const address = async () => (await latchkey.getUser())?.wallet?.address as `0x${string}`

  it('is valid for its address: messages, bytes and typed data', async () => {
    const text = await latchkey.signMessage('Two herons')
    expect(await verifyMessage({ ...text, message: 'Two herons' })).toBe(true)
    const bytes = await latchkey.signMessage({ raw: '0xdeadbeef' })
    expect(await verifyMessage({ ...bytes, message: { raw: '0xdeadbeef' } })).toBe(true)
    const typed = {
      domain: { name: 'Field notes', version: '1', chainId: 1 },
      types: { Note: [{ name: 'count', type: 'uint256' }] },
      primaryType: 'Note',
      message: { count: 2n },
    } as const
    const signed = await latchkey.signTypedData(typed)
    expect(await verifyTypedData({ ...typed, ...signed })).toBe(true)
    const elsewhere = latchkey.signTypedData({ ...typed, domain: { chainId: 10 } })
    expect(await codeOf(elsewhere)).toBe('unsupported_chain_id')
  })

  it('signs and sends for viem, which finds the receipt', async () => {
    const provider = await latchkey.getEthereumProvider()
    const client = createWalletClient({
      account: await address(),
      chain: mainnet,
      transport: custom(provider),
    })
    const reader = createPublicClient({ chain: mainnet, transport: custom(provider) })
    const signed = await client.request({
      method: 'eth_signTransaction',
      params: [{ from: await address(), to: someone, value: '0x1' }],
    })
    expect(await recoverTransactionAddress({ serializedTransaction: signed as `0x02${string}` })).toBe(
      await address(),
    )
    expect(parseTransaction(signed)).toMatchObject({
      to: someone.toLowerCase(),
      value: 1n,
      chainId: 1,
      nonce: 0,
    })
    const hash = await client.sendTransaction({ to: someone, value: parseEther('1') })
    expect(await reader.getTransactionReceipt({ hash })).toMatchObject({
      status: 'success',
      to: someone.toLowerCase(),
    })
    expect(await reader.getTransactionCount({ address: await address() })).toBe(1)
    const { id } = await client.sendCalls({ calls: [{ to: someone }, { to: someone }] })
    expect(await client.getCallsStatus({ id })).toMatchObject({ status: 'success', receipts: { length: 2 } })
  })

  it("uses the test's answers for reads of the chain", async () => {
    const asked: unknown[] = []
    const own = mockLatchkey({
      chains: [10],
      chain(request) {
        asked.push(request)
        return request.method === 'eth_getBalance' ? '0x10' : undefined
      },
    })
    const provider = await own.getEthereumProvider()
    expect(await provider.request({ method: 'eth_getBalance', params: [someone, 'latest'] })).toBe('0x10')
    expect(await provider.request({ method: 'eth_gasPrice' })).toBe('0x3b9aca00')
    await expect(
      provider.request({ method: 'eth_feeHistory', params: ['0x1', 'latest'] }),
    ).rejects.toMatchObject({
      code: -32_000,
      message: 'The mock does not answer eth_feeHistory: answer it with mockLatchkey({ chain })',
    })
    expect(asked[0]).toEqual({ chainId: 10, method: 'eth_getBalance', params: [someone, 'latest'] })
  })

  it('comes from connected wallets and wallets of other apps too', async () => {
    const connected = await latchkey.connectWallet()
    const signature = await connected.provider.request({
      method: 'personal_sign',
      params: ['0x54776f206865726f6e73', connected.address],
    })
    const proof = { address: connected.address as `0x${string}`, message: 'Two herons' }
    expect(await verifyMessage({ ...proof, signature: signature as `0x${string}` })).toBe(true)

    const user = await latchkey.linkCrossAppAccount({ appId: 'lkother000000000000000001' })
    const account = user.linkedAccounts.find(({ type }) => type === 'cross_app')
    if (account?.type !== 'cross_app') expect.unreachable()
    const wallet = account.embeddedWallets[0]?.address as `0x${string}`
    const signed = await latchkey.signMessage('Two herons', { address: wallet })
    expect(signed.address).toBe(wallet)
    expect(await verifyMessage({ ...signed, message: 'Two herons' })).toBe(true)
    const provider = await latchkey.getEthereumProvider({ address: wallet })
    expect(await provider.request({ method: 'eth_accounts' })).toEqual([wallet])
  })
})

describe('the access token of the mock', () => {
  it('is verified by a backend with its keys, and renewed shortly before it expires', async () => {
    let nowMs = Date.UTC(2026, 0, 1)
    const latchkey = mockLatchkey({ user: mira, now: () => nowMs })
    const server = createLatchkeyServer({
      appId: latchkey.appId,
      issuer: 'https://dialog.example',
      fetch: async () => Response.json(latchkey.control.keySet),
      nowMs: () => nowMs,
    })
    const token = (await latchkey.getAccessToken()) ?? ''
    expect(await server.verifyAccessToken(token)).toMatchObject({
      userId: (await latchkey.getUser())?.id,
      appId: 'lkmock0000000000000000001',
      expiresAt: new Date(Date.UTC(2026, 0, 1, 0, 15)),
    })
    nowMs += 869_000
    expect(await latchkey.getAccessToken()).toBe(token)
    nowMs += 1_000
    const next = (await latchkey.getAccessToken()) ?? ''
    expect(next).not.toBe(token)
    await expect(server.verifyAccessToken(next)).resolves.toBeDefined()
  })
})

describe('a call that the test controls', () => {
  it('stays pending until the test approves it', async () => {
    const latchkey = mockLatchkey()
    const heard: string[] = []
    for (const name of ['drawn', 'login', 'close'] as const) latchkey.on(name, () => heard.push(name))
    const login = latchkey.control.next('login')
    const calling = latchkey.login()
    expect(await login.asked).toEqual({ name: 'login', args: [] })
    expect(latchkey.control.waiting.map(({ name }) => name)).toEqual(['login'])
    expect(heard).toEqual(['drawn'])
    login.approve({ isNewUser: false })
    expect(await calling).toMatchObject({ isNewUser: false, loginMethod: 'email' })
    expect(heard).toEqual(['drawn', 'login', 'close'])
    expect(latchkey.control.waiting).toEqual([])
  })

  it('can be settled before it is made, and does not affect the next call', async () => {
    const latchkey = mockLatchkey({ user: mira })
    latchkey.control.next('signMessage').fail('too_many_requests', 'Too many')
    expect(await latchkey.signMessage('Two herons').catch((error) => error)).toMatchObject({
      name: 'LatchkeyError',
      code: 'too_many_requests',
      message: 'Too many',
    })
    expect((await latchkey.signMessage('Two herons')).signature).toMatch(/^0x/)
  })

  it.each([
    ['login', 'exited_auth_flow', (latchkey: Mock) => latchkey.login()],
    ['linkGoogle', 'exited_link_flow', (latchkey: Mock) => latchkey.linkGoogle()],
    ['signTypedData', 'user_rejected_request', (latchkey: Mock) => latchkey.signTypedData(note)],
    [
      'sendTransaction',
      'user_rejected_request',
      (latchkey: Mock) => latchkey.sendTransaction({ to: someone }),
    ],
    ['setWalletRecovery', 'user_exited_set_password_flow', (latchkey: Mock) => latchkey.setWalletRecovery()],
    ['connectWallet', 'exited_link_flow', (latchkey: Mock) => latchkey.connectWallet()],
  ] as const)('%s that its user closes rejects with %s', async (name, code, call) => {
    const latchkey = mockLatchkey({ user: mira, loggedIn: name !== 'login' })
    latchkey.control.next(name).refuse()
    expect(await codeOf(call(latchkey))).toBe(code)
    const refusing = mockLatchkey({ user: mira, loggedIn: name !== 'login', person: 'refuses' })
    expect(await codeOf(call(refusing))).toBe(code)
  })

  it('rejects a provider request with the code that libraries match', async () => {
    const latchkey = mockLatchkey({ user: mira })
    const provider = await latchkey.getEthereumProvider()
    const [account] = (await provider.request({ method: 'eth_accounts' })) as string[]
    const sign = latchkey.control.next('signMessage')
    const asked = provider.request({ method: 'personal_sign', params: ['0x6869', account] })
    expect(await sign.asked).toEqual({
      name: 'request',
      args: [{ method: 'personal_sign', params: ['0x6869', account] }],
    })
    sign.refuse()
    await expect(asked).rejects.toMatchObject({ code: 4001, cause: { code: 'user_rejected_request' } })
  })

  it('can change the receipt of a transaction', async () => {
    const latchkey = mockLatchkey({ user: mira })
    latchkey.control.next('sendTransaction').approve({ gasUsed: '42' })
    expect(await latchkey.sendTransaction({ to: someone })).toMatchObject({
      status: 'success',
      gasUsed: '42',
    })
  })

  it('can fail but not be refused if it shows no prompt', async () => {
    const latchkey = mockLatchkey({ user: mira })
    const token = latchkey.control.next('getAccessToken')
    expect(() => token.refuse()).toThrow('getAccessToken() shows no prompt')
    token.fail('server_unreachable')
    expect(await codeOf(latchkey.getAccessToken())).toBe('server_unreachable')
  })

  it('ends when it is aborted or its client is destroyed', async () => {
    const latchkey = mockLatchkey({ person: 'waits' })
    const taking = new AbortController()
    const login = latchkey.login({ signal: taking.signal })
    await vi.waitFor(() => expect(latchkey.control.waiting).toHaveLength(1))
    taking.abort()
    expect(await codeOf(login)).toBe('call_cancelled')
    expect(latchkey.control.waiting).toEqual([])
    const next = latchkey.login()
    await vi.waitFor(() => expect(latchkey.control.waiting).toHaveLength(1))
    latchkey.destroy()
    expect(await codeOf(next)).toBe('client_destroyed')
  })

  it('waits for the test if the user waits, but not once the user approves', async () => {
    const latchkey = mockLatchkey({ user: mira, person: 'waits' })
    const signing = latchkey.signMessage('Two herons')
    await vi.waitFor(() => expect(latchkey.control.waiting).toHaveLength(1))
    latchkey.control.waiting[0]?.approve()
    expect((await signing).signature).toMatch(/^0x/)
    latchkey.control.setPerson('approves')
    expect((await latchkey.signMessage('Three')).signature).toMatch(/^0x/)
  })
})

type Mock = ReturnType<typeof mockLatchkey>
const note = {
  domain: { name: 'Field notes' },
  types: { Note: [{ name: 'text', type: 'string' }] },
  primaryType: 'Note',
  message: { text: 'Two herons' },
}

describe('the recorded calls', () => {
  it('contain every call with its arguments, and every provider request', async () => {
    const latchkey = mockLatchkey({ user: mira })
    await latchkey.signMessage('Two herons', { title: 'Sign' })
    await (await latchkey.getEthereumProvider()).request({ method: 'eth_blockNumber' })
    await latchkey.linkGoogle()
    expect(latchkey.control.callsOf('signMessage')).toEqual([['Two herons', { title: 'Sign' }]])
    expect(latchkey.control.calls.map(({ name }) => name)).toEqual([
      'signMessage',
      'getEthereumProvider',
      'request',
      'linkGoogle',
    ])
    expect(latchkey.control.requests).toEqual([{ method: 'eth_blockNumber', params: [] }])
  })

  it('contain the requests to a Solana provider and to a connected wallet', async () => {
    const latchkey = mockLatchkey({ user: mira, wallets: ['solana'] })
    const sign = latchkey.control.next('signMessage')
    const signing = (await latchkey.getSolanaProvider()).signMessage('Two herons')
    const request = { method: 'signMessage', params: ['Two herons'] }
    expect(await sign.asked).toEqual({ name: 'request', args: [request] })
    await sign.approve()
    await signing
    const { address, provider } = await latchkey.connectWallet()
    await provider.request({ method: 'personal_sign', params: ['0x6869', address] })
    expect(latchkey.control.requests).toEqual([
      request,
      { method: 'personal_sign', params: ['0x6869', address] },
    ])
  })
})

describe('a Solana wallet', () => {
  it('signs in with the message of the fields', async () => {
    const latchkey = mockLatchkey({ user: mira, wallets: ['solana'] })
    const provider = await latchkey.getSolanaProvider()
    const signed = await provider.signIn({ domain: 'app.example', statement: 'Welcome' })
    expect(new TextDecoder().decode(signed.signedMessage)).toBe(
      `app.example wants you to sign in with your Solana account:\n${provider.address}\n\nWelcome`,
    )
    expect(ed25519.verify(signed.signature, signed.signedMessage, provider.publicKey)).toBe(true)
  })

  it('signs and sends transactions in which it is a signer, of both versions', async () => {
    const latchkey = mockLatchkey({ user: mira, wallets: ['solana'] })
    const provider = await latchkey.getSolanaProvider()
    const message = [1, 0, 1, 2, ...provider.publicKey, ...new Uint8Array(64), 0]
    for (const versioned of [message, [0x80, ...message, 0]]) {
      const { signedTransaction } = await provider.signTransaction(
        Uint8Array.of(1, ...new Uint8Array(64), ...versioned),
      )
      const [signature, signed] = [signedTransaction.subarray(1, 65), signedTransaction.subarray(65)]
      expect([...signed]).toEqual(versioned)
      expect(ed25519.verify(signature, signed, provider.publicKey)).toBe(true)
    }
    const bytes = Uint8Array.of(1, ...new Uint8Array(64), ...message)
    const { signature } = await provider.signAndSendTransaction(bytes)
    expect(ed25519.verify(signature, Uint8Array.from(message), provider.publicKey)).toBe(true)
    const others = Uint8Array.of(1, ...new Uint8Array(64), 1, 0, 1, 2, ...new Uint8Array(97))
    await expect(provider.signTransaction(others)).rejects.toMatchObject({ code: 'invalid_data' })
  })
})

describe('another tab', () => {
  it('logs another user in after emitting the logout of the previous user', async () => {
    const latchkey = mockLatchkey({ user: mira })
    await latchkey.ready
    const heard: string[] = []
    for (const name of ['login', 'logout', 'user', 'token'] as const)
      latchkey.on(name, (event) => heard.push(`${name} ${Reflect.get(event, 'type') ?? ''}`.trim()))
    await latchkey.control.logIn({ email: 'jon@example.com' })
    expect(heard).toEqual(['logout', 'user', 'token removed', 'login', 'token granted'])
    expect(latchkey.control.user?.displayName).toBe('jon@example.com')
  })

  it('restores the accounts of a returning user', async () => {
    const latchkey = mockLatchkey({ user: mira })
    const linked = await latchkey.linkGoogle()
    await latchkey.control.logOut()
    const { user, isNewUser } = await latchkey.login()
    expect([user, isNewUser]).toEqual([linked, false])
  })

  it('changes the user and emits the change', async () => {
    const latchkey = mockLatchkey({ user: mira })
    await latchkey.ready
    const told: unknown[] = []
    latchkey.on('user', ({ user }) => told.push(user?.mfaMethods))
    await latchkey.control.updateUser({ mfaMethods: ['totp'] })
    expect(told).toEqual([['totp']])
  })
})

describe('accounts', () => {
  it.each([
    ['Email', 'email', 'address'],
    ['Phone', 'phone', 'phoneNumber'],
    ['Google', 'google_oauth', 'subject'],
    ['Wallet', 'wallet', 'address'],
    ['Passkey', 'passkey', 'credentialId'],
    ['Farcaster', 'farcaster', 'fid'],
    ['Telegram', 'telegram', 'telegramUserId'],
  ] as const)('link%s adds one of type %s, which is unlinked by its %s', async (name, type, idField) => {
    const latchkey = mockLatchkey({ user: { linkedAccounts: [atIssuer] }, wallets: [] })
    const { linkedAccounts } = await latchkey[`link${name}`]()
    expect(linkedAccounts).toMatchObject([atIssuer, { type }])
    const id = String(Reflect.get(linkedAccounts[1] ?? {}, idField))
    expect(await codeOf(latchkey[`unlink${name}`](`${id}0`))).toBe('linked_account_not_found')
    expect((await latchkey[`unlink${name}`](id)).linkedAccounts).toEqual([atIssuer])
  })

  it('are one of each type, and the last one cannot be unlinked', async () => {
    const latchkey = mockLatchkey({ user: mira })
    expect(await codeOf(latchkey.linkEmail())).toBe('cannot_link_more_of_type')
    expect(await codeOf(latchkey.unlinkEmail('mira@example.com'))).toBe('cannot_unlink_sole_account')
    const { wallet } = (await latchkey.getUser()) ?? expect.unreachable()
    expect(await codeOf(latchkey.unlinkWallet(wallet?.address ?? ''))).toBe('cannot_unlink_embedded_wallet')
  })

  it('of a provider emit their tokens on reauthorization', async () => {
    const latchkey = mockLatchkey({ user: mira })
    await latchkey.linkGoogle()
    const told: unknown[] = []
    latchkey.on('oauthTokens', ({ tokens }) => told.push(tokens.provider))
    await latchkey.reauthorize({ provider: 'google' })
    expect(told).toEqual(['google'])
  })
})
const atIssuer = {
  type: 'custom_auth',
  customUserId: 'u1',
  verifiedAt: 1,
  firstVerifiedAt: 1,
  latestVerifiedAt: 1,
} as const

describe('the status of a mock', () => {
  it('is loading until the test changes it: calls wait, and then ready is emitted once', async () => {
    const latchkey = mockLatchkey({ user: mira, status: 'loading' })
    const heard: unknown[] = []
    latchkey.on('ready', (event) => heard.push(event))
    const { getSnapshot, subscribe } = stateOf(latchkey)
    subscribe(() => {})
    const user = latchkey.getUser()
    await Promise.resolve()
    expect([getSnapshot().status, heard]).toEqual(['loading', []])
    await latchkey.control.setStatus('ready')
    expect((await user)?.displayName).toBe('mira@example.com')
    await vi.waitFor(() => expect(getSnapshot().status).toBe('ready'))
    expect(heard).toEqual([{ authenticated: true }])
    await latchkey.control.setStatus('unreachable')
    await latchkey.control.setStatus('ready')
    expect(heard).toHaveLength(1)
  })

  it("is unreachable with the loader's error: the user is kept and reappears immediately", async () => {
    const latchkey = mockLatchkey({ user: mira })
    const { getSnapshot, subscribe } = stateOf(latchkey)
    subscribe(() => {})
    await vi.waitFor(() => expect(getSnapshot().status).toBe('ready'))
    await latchkey.control.setStatus('unreachable')
    await vi.waitFor(() => expect(getSnapshot().status).toBe('unreachable'))
    expect(getSnapshot()).toMatchObject({
      error: { code: 'server_unreachable' },
      user: { displayName: 'mira@example.com' },
    })
    expect(await codeOf(latchkey.getUser())).toBe('server_unreachable')
    await latchkey.control.setStatus('ready')
    expect(getSnapshot()).toMatchObject({ status: 'ready', error: null })
  })
})

describe('a provider of the mock', () => {
  it('emits the chain that the test switches to', async () => {
    const latchkey = mockLatchkey({ user: mira, chains: [1, 10] })
    const provider = await latchkey.getEthereumProvider()
    const told: unknown[] = []
    provider.on('chainChanged', (chainId) => told.push(chainId))
    provider.on('accountsChanged', (accounts) => told.push(accounts))
    await latchkey.control.switchChain(10)
    await latchkey.control.logOut()
    expect(told).toEqual(['0xa', []])
    await expect(latchkey.control.switchChain(137)).rejects.toThrow('The app has no chain 137')
  })

  it('signs for its address on Solana', async () => {
    const latchkey = mockLatchkey({ user: mira, wallets: ['solana'] })
    const provider = await latchkey.getSolanaProvider()
    const { signature, address } = await provider.signMessage('Two herons')
    expect([signature.length, address]).toEqual([64, provider.address])
    const key = await crypto.subtle.importKey('raw', new Uint8Array(provider.publicKey), 'Ed25519', false, [
      'verify',
    ])
    const text = new TextEncoder().encode('Two herons')
    expect(await crypto.subtle.verify('Ed25519', key, new Uint8Array(signature), text)).toBe(true)
  })
})
