/** Solana wallets through the bridge, with the real vault and sealing. */
import { createHash } from 'node:crypto'
import { LatchkeyError } from '@latchkey/protocol'
import { encodeSolanaTransaction } from '@latchkey/protocol/wallet'
import { ed25519 } from '@noble/curves/ed25519.js'
import { bytesToHex, concatBytes, hexToBytes } from '@noble/hashes/utils.js'
import { base58 } from '@scure/base'
import { describe, expect, it } from 'vitest'
import { appId, openFrame } from '../testing/frame.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { walletServer } from '../testing/server/wallet-server.ts'
import { isSignedBy } from '../testing/solana.ts'

const refusal = (code: string) => expect.objectContaining({ code })
const elsewhere = 'HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk'

async function setUp() {
  const server = await walletServer(appId)
  const disk = emptyDisk()
  const frame = openFrame({ server, disk })
  return { server, disk, frame, ...callsOf(frame) }
}
/** Returns the digest by which the server identifies a text. */
const digestOf = (message: unknown) => `0x${createHash('sha256').update(String(message)).digest('hex')}`
const signatureOf = ({ data }: { data: object }): string => String(Reflect.get(data, 'signature'))
const callsOf = (frame: ReturnType<typeof openFrame>) => ({
  derive: async (ethereumAddress: string) =>
    frame.call('solana-wallet:create', { ...(await frame.begin('solana-address')), ethereumAddress }),
  create: async () => frame.call('solana-wallet:create', await frame.begin('create')),
  connect: async (publicKey: string) =>
    frame.call('solana-wallet:connect', { ...(await frame.begin('connect')), publicKey }),
  recover: async (publicKey: string) =>
    frame.call('solana-wallet:recover', { ...(await frame.begin('recover')), publicKey }),
  rpc: async (publicKey: string, request: { method: string; message: unknown }) => {
    const { method, message } = request
    const step = await frame.begin('sign', { digest: digestOf(message) })
    return frame.call('solana-wallet:rpc', { ...step, publicKey, request: { method, params: { message } } })
  },
})

describe('latchkey:solana-wallet:create', () => {
  // spec W7.37
  it('creates a wallet on the server and returns its public key', async () => {
    const { create, server } = await setUp()
    const { publicKey, onDevice, user } = await create()
    expect(publicKey).toMatch(/^[1-9A-HJ-NP-Za-km-z]{32,44}$/)
    expect(onDevice).toBe(true)
    expect(user?.linkedAccounts).toMatchObject([{ address: publicKey, chainType: 'solana' }])
    expect(server.walletOf('user_1')).toMatchObject({ chain: 'solana', address: publicKey })
    expect(server.asked.map(({ body }) => body)).toContainEqual({ chainType: 'solana' })
  })

  it('creates one wallet for two concurrent calls, and returns the existing one later', async () => {
    const { create, server } = await setUp()
    const [first, second] = await Promise.all([create(), create()])
    expect(second).toEqual(first)
    expect(await create()).toMatchObject({ publicKey: first.publicKey, onDevice: true, user: null })
    expect(server.asked.filter(({ path }) => path === '/wallets/commit')).toHaveLength(1)
  })

  it('reports to the dialog that the user has an Ethereum wallet', async () => {
    const { create, server } = await setUp()
    server.intercept(() =>
      Response.json({ error: 'no', code: 'embedded_wallet_already_exists' }, { status: 400 }),
    )
    await expect(create()).rejects.toEqual(refusal('embedded_wallet_already_exists'))
  })
})

describe('latchkey:solana-wallet:connect and :recover', () => {
  // spec W7.38
  it('connects a device with a share, and rejects another wallet', async () => {
    const { create, connect } = await setUp()
    const { publicKey } = await create()
    expect(await connect(publicKey)).toEqual({ publicKey })
    await expect(connect(elsewhere)).rejects.toEqual(refusal('share_mismatch'))
  })

  it('compares addresses case-sensitively', async () => {
    const { create, connect } = await setUp()
    const { publicKey } = await create()
    const letter = [...publicKey].find((each) => /[a-km-z]/.test(each) && !/[io]/.test(each)) ?? ''
    const other = publicKey.replace(letter, letter.toUpperCase())
    expect(other.toLowerCase()).toBe(publicKey.toLowerCase())
    await expect(connect(other)).rejects.toEqual(refusal('share_mismatch'))
  })

  // spec W7.39
  it('recovers automatically on a new device, which signs with the same key', async () => {
    const { create, server } = await setUp()
    const { publicKey } = await create()
    const { connect, recover, rpc } = callsOf(openFrame({ server, disk: emptyDisk() }))
    await expect(connect(publicKey)).rejects.toEqual(refusal('wallet_not_on_device'))
    expect(await recover(publicKey)).toEqual({ publicKey })
    expect(await connect(publicKey)).toEqual({ publicKey })
    const { response } = await rpc(publicKey, { method: 'signMessage', message: 'hello' })
    expect(await isSignedBy(publicKey, signatureOf(response), 'hello')).toBe(true)
  })
})

describe('latchkey:solana-wallet:rpc', () => {
  // spec W7.40
  it("signs a message that Solana's own library verifies", async () => {
    const { create, rpc } = await setUp()
    const { publicKey } = await create()
    const answer = await rpc(publicKey, { method: 'signMessage', message: 'Grüße, 🔑' })
    expect(answer.publicKey).toBe(publicKey)
    expect(await isSignedBy(publicKey, signatureOf(answer.response), 'Grüße, 🔑')).toBe(true)
  })

  // spec W8.39
  it.each(['signTransaction', 'signAndSendTransaction', 'personal_sign', 'constructor'])(
    'rejects %s with the error of the specification',
    async (method) => {
      const { create, rpc } = await setUp()
      const { publicKey } = await create()
      const asked = rpc(publicKey, { method, message: 'hello' })
      await expect(asked).rejects.toBeInstanceOf(LatchkeyError)
      await expect(asked).rejects.toMatchObject({
        code: 'not_supported',
        message: 'Embedded Solana provider does not yet support this RPC method.',
      })
    },
  )

  // spec W5.9
  it.each([[7], [null], [['hello']], [{ message: 'hello' }], [undefined]])(
    'refuses the message %j, which is not a string',
    async (message) => {
      const { create, rpc, server } = await setUp()
      const { publicKey } = await create()
      await expect(rpc(publicKey, { method: 'signMessage', message })).rejects.toEqual(
        refusal('invalid_request_arguments'),
      )
      expect(server.asked.filter(({ path }) => path === '/wallets/shares')).toEqual([])
    },
  )
})

describe('latchkey:solana-wallet:rpc with a sign-in', () => {
  const host = 'app.example'
  const fields = { domain: host, statement: 'Welcome', nonce: 'a1b2c3d4', version: '1' } as const
  const textFor = (publicKey: string, domain = host) =>
    `${domain} wants you to sign in with your Solana account:\n${publicKey}\n\nWelcome\n\nVersion: 1\nNonce: a1b2c3d4`

  /** Signs in with a share that the server released for the digest of `approved`. */
  async function signIn(
    { frame }: Awaited<ReturnType<typeof setUp>>,
    publicKey: string,
    { approved, signIn: asked }: { approved: string; signIn: object },
  ) {
    const step = await frame.begin('sign', { digest: digestOf(approved) })
    const request = { method: 'signIn', params: { signIn: asked } } as never
    return frame.call('solana-wallet:rpc', { ...step, publicKey, request })
  }

  it('signs the message that it writes from the fields', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const text = textFor(publicKey)
    const { response } = await signIn(made, publicKey, { approved: text, signIn: fields })
    expect(await isSignedBy(publicKey, signatureOf(response), text)).toBe(true)
  })

  it('refuses fields other than those of the approved message', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    for (const other of [
      { ...fields, nonce: 'b1b2c3d4' },
      { ...fields, resources: ['https://app.example'] },
    ]) {
      const refused = signIn(made, publicKey, { approved: textFor(publicKey), signIn: other })
      await expect(refused).rejects.toMatchObject({ details: { code: 'envelope_refused' } })
    }
  })

  it('refuses another domain than that of the page, even if a dialog had it approved', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const evil = 'evil.example'
    const approved = textFor(publicKey, evil)
    const refused = signIn(made, publicKey, { approved, signIn: { ...fields, domain: evil } })
    await expect(refused).rejects.toEqual(refusal('invalid_request_arguments'))
    expect(made.server.asked.filter(({ path }) => path === '/wallets/shares')).toEqual([])
  })

  it.each([
    ['a line break in the statement', { statement: 'Welcome\n\nNonce: b1b2c3d4' }],
    ['a line break in a resource', { resources: ['https://app.example\nNonce: b1b2c3d4'] }],
    ['a domain with a path', { domain: 'app.example/evil' }],
    ['a domain with an @', { domain: 'app.example@evil.example' }],
    ['another version', { version: '2' }],
    ['a short nonce', { nonce: 'a1b2' }],
    ['no domain', { domain: undefined }],
  ])('refuses %s', async (_what, change) => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const refused = signIn(made, publicKey, { approved: 'any', signIn: { ...fields, ...change } })
    await expect(refused).rejects.toMatchObject({ code: expect.stringMatching(/^invalid_/) })
  })
})

describe('latchkey:solana-wallet:rpc with a transaction', () => {
  /** A transaction of the wallet that calls a program with the accounts [0, 1], with an empty signature. */
  const transactionOf = (publicKey: string) =>
    concatBytes(
      Uint8Array.of(1),
      new Uint8Array(64),
      Uint8Array.of(1, 0, 1, 3),
      base58.decode(publicKey),
      new Uint8Array(32).fill(7),
      new Uint8Array(32),
      new Uint8Array(32).fill(9),
      Uint8Array.of(1, 2, 2, 0, 1, 12, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0),
    )
  const hexOf = (bytes: Uint8Array) => `0x${bytesToHex(bytes)}`
  const digestOfTransaction = (bytes: Uint8Array) =>
    `0x${createHash('sha256').update(encodeSolanaTransaction(bytes)).digest('hex')}`

  /** Signs with a share that the server released for the digest of `approved`. */
  async function signApproved(
    { frame }: Awaited<ReturnType<typeof setUp>>,
    publicKey: string,
    { approved, asked }: { approved: string; asked: { method: string; params: object } },
  ) {
    const step = await frame.begin('sign', { digest: approved })
    return frame.call('solana-wallet:rpc', { ...step, publicKey, request: asked })
  }
  const signTransaction = (bytes: Uint8Array) => ({
    method: 'solana_signTransaction',
    params: { transaction: hexOf(bytes) },
  })

  it('signs the approved transaction', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const bytes = transactionOf(publicKey)
    const asked = { approved: digestOfTransaction(bytes), asked: signTransaction(bytes) }
    const { response } = await signApproved(made, publicKey, asked)
    const signed = hexToBytes(String(Reflect.get(response.data, 'transaction')).slice(2))
    const signature = base58.encode(signed.subarray(1, 65))
    expect(signed.subarray(65)).toEqual(bytes.subarray(65))
    expect(ed25519.verify(base58.decode(signature), bytes.subarray(65), base58.decode(publicKey))).toBe(true)
  })

  it('refuses bytes that were changed after the approval', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const [bytes, changed] = [transactionOf(publicKey), transactionOf(publicKey)]
    // A larger amount.
    changed[changed.length - 5] = 1
    const asked = { approved: digestOfTransaction(bytes), asked: signTransaction(changed) }
    await expect(signApproved(made, publicKey, asked)).rejects.toMatchObject({
      details: { code: 'envelope_refused' },
    })
  })

  it('refuses a transaction with an approval of the same bytes as a message', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const bytes = transactionOf(publicKey)
    for (const content of [bytes, bytes.subarray(65)]) {
      const approved = `0x${createHash('sha256').update(content).digest('hex')}`
      const asked = { approved, asked: signTransaction(bytes) }
      await expect(signApproved(made, publicKey, asked)).rejects.toMatchObject({
        details: { code: 'envelope_refused' },
      })
    }
  })

  it('refuses the transaction of another wallet', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const bytes = transactionOf(elsewhere)
    const asked = { approved: digestOfTransaction(bytes), asked: signTransaction(bytes) }
    await expect(signApproved(made, publicKey, asked)).rejects.toEqual(refusal('invalid_request_arguments'))
  })

  it('refuses a missing transaction before the server releases a share', async () => {
    const made = await setUp()
    const { publicKey } = await made.create()
    const asked = { approved: digestOf(''), asked: { method: 'solana_signTransaction', params: {} } }
    await expect(signApproved(made, publicKey, asked)).rejects.toEqual(refusal('invalid_request_arguments'))
    expect(made.server.asked.filter(({ path }) => path === '/wallets/shares')).toEqual([])
  })
})

describe('latchkey:solana-wallet:create with an Ethereum wallet', () => {
  it('registers the address that the secret derives, and signs with it', async () => {
    const { frame, derive, connect, rpc, server } = await setUp()
    const { address } = await frame.create()
    const { publicKey, onDevice, user } = await derive(address)
    expect(onDevice).toBe(true)
    expect(user?.linkedAccounts).toMatchObject([
      { address, chainType: 'ethereum' },
      { address: publicKey, chainType: 'solana' },
    ])
    expect(server.walletOf('user_1')).toMatchObject({ chain: 'ethereum', address, solanaAddress: publicKey })
    expect((await derive(address)).publicKey).toBe(publicKey)
    expect(await connect(publicKey)).toEqual({ publicKey })
    const answer = await rpc(publicKey, { method: 'signMessage', message: 'hello' })
    expect(answer.publicKey).toBe(publicKey)
    expect(await isSignedBy(publicKey, signatureOf(answer.response), 'hello')).toBe(true)
    await frame.sign(address)
  })

  it('restores both addresses with the recovery method of the Ethereum wallet', async () => {
    const { frame, derive, server } = await setUp()
    const { address } = await frame.createWith('correct-horse-battery')
    const { publicKey } = await derive(address)
    const other = openFrame({ server, disk: emptyDisk() })
    const { connect, recover, rpc } = callsOf(other)
    await expect(connect(publicKey)).rejects.toEqual(refusal('wallet_not_on_device'))
    await expect(recover(publicKey)).rejects.toEqual(refusal('disallowed_recovery_method'))
    await other.recoverWith(address, 'correct-horse-battery')
    expect(await connect(publicKey)).toEqual({ publicKey })
    const { response } = await rpc(publicKey, { method: 'signMessage', message: 'hello' })
    expect(await isSignedBy(publicKey, signatureOf(response), 'hello')).toBe(true)
  })

  it('recovers both addresses automatically by the Solana address', async () => {
    const { frame, derive, server } = await setUp()
    const { address } = await frame.create()
    const { publicKey } = await derive(address)
    const other = openFrame({ server, disk: emptyDisk() })
    expect(await callsOf(other).recover(publicKey)).toEqual({ publicKey })
    expect(await other.connect(address)).toEqual({ address })
  })

  it('refuses a Solana address that the secret does not derive, even if the server releases for it', async () => {
    const { frame, rpc, server } = await setUp()
    await frame.create()
    const request = { method: 'signMessage', message: 'hello' }
    await expect(rpc(elsewhere, request)).rejects.toEqual(refusal('share_mismatch'))
    server.rewrite((path, wire) =>
      path === '/wallets/shares' ? { ...wire, wallet: { ...wire.wallet, solana_address: elsewhere } } : wire,
    )
    await expect(rpc(elsewhere, request)).rejects.toEqual(refusal('invalid_request_arguments'))
  })

  it('refuses a second address for a Solana wallet, and another wallet than the named one', async () => {
    const solana = await setUp()
    await solana.create()
    await expect(solana.derive(`0x${'1'.repeat(40)}`)).rejects.toEqual(refusal('share_mismatch'))
    const { frame, derive } = await setUp()
    await frame.create()
    await expect(derive(`0x${'1'.repeat(40)}`)).rejects.toEqual(refusal('share_mismatch'))
  })
})

describe('a user with wallets on both chains', () => {
  it('keeps both shares on one device, independent of each other', async () => {
    const disk = emptyDisk()
    const [solana, ethereum] = [await walletServer(appId), await walletServer(appId)]
    // This test server stores one wallet per user; the real one stores one per chain.
    const { create, connect } = callsOf(openFrame({ server: solana, disk }))
    const { publicKey } = await create()
    const other = openFrame({ server: ethereum, disk })
    const { address } = await other.create()
    expect(await connect(publicKey)).toEqual({ publicKey })
    expect(await other.connect(address)).toEqual({ address })
  })
})
