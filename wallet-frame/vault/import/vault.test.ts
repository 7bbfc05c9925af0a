/**
 * The import page's vault: which addresses it returns, that it seals a key once, and the wallet that results.
 */
import type { SealedShare } from '@latchkey/protocol/wallet'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { recoverMessageAddress } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { testClock } from '../../testing/clock.ts'
import { exportVault, sharesFor } from '../../testing/export-vault.ts'
import { emptyDisk } from '../../testing/memory-database.ts'
import { sealKeyText, sealPasskey, sealPassword } from '../../testing/server/sealing-server.ts'
import {
  ask as askWallet,
  type Begun,
  beginIn,
  creation,
  line as lineOfEntropy,
  newVault,
  recoverIn,
  server,
  signIn,
  storedWallet,
} from '../../testing/test-wallet.ts'
import { createImportVault } from './vault.ts'

const line = { ...lineOfEntropy, kind: 'imported-key' } as const
const failure = (code: string) => expect.objectContaining({ code })
const bytesOf = (text: string) => new TextEncoder().encode(text)

function importVault() {
  const clock = testClock()
  const vault = createImportVault(clock)
  let calls = 0
  async function ask(name: string, input: object = {}): Promise<unknown> {
    const answer = await vault.call({ id: String(++calls), name, input })
    if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.value
  }
  const take = (text: string) => ask('take', { text: bytesOf(text) })
  const agree = (address: string) => ask('agree', { address })
  /** Enters a key and accepts its address, as the page does for its user. */
  async function bring(privateKey: `0x${string}`) {
    await take(privateKey)
    await agree(privateKeyToAccount(privateKey).address)
  }
  /** Seals the key for a step of a wallet's vault. */
  async function seal({ publicKey: vaultKey, operation }: Begun): Promise<SealedShare> {
    const { key } = (await ask('seal', { vaultKey, operation })) as { key: SealedShare }
    return key
  }
  return { clock, ask, take, agree, bring, seal }
}

/** A vault that creates a wallet from a key. */
async function walletVault(disk = emptyDisk()) {
  const vault = newVault(disk)
  const begun = await beginIn(vault)
  const create = (key: SealedShare, change: object = {}, more: object = {}) =>
    askWallet(vault, 'create', {
      line: { ...line, ...change },
      serverKey: server.key,
      operation: begun.operation,
      importedKey: key,
      ...more,
    })
  return { vault, begun, create, disk }
}

/** A wallet of this key on a device, and the server that stores it. */
async function imported(privateKey = generatePrivateKey()) {
  const { bring, seal } = importVault()
  await bring(privateKey)
  const { vault, begun, create, disk } = await walletVault()
  const mine = await storedWallet(vault, line, await create(await seal(begun)))
  await mine.adopt()
  return { mine, disk, privateKey }
}

describe('the vault of the import page', () => {
  // spec W7.25
  it('returns the address of a key, or the problem of an invalid one', async () => {
    const { take } = importVault()
    const privateKey = generatePrivateKey()
    const { address } = privateKeyToAccount(privateKey)
    expect(await take(privateKey)).toEqual({ address })
    expect(await take(`  ${privateKey.slice(2)}\n`)).toEqual({ address })
    expect(await take(privateKey.slice(0, -1))).toEqual({ problem: 'wrong_length' })
    expect(await take('test test test test')).toEqual({ problem: 'word_count', count: 4 })
  })

  it('returns the first ten addresses of a seed phrase, and seals the key of the chosen one', async () => {
    const phrase = 'test test test test test test test test test test test junk'
    const { agree, take, seal } = importVault()
    const { addresses } = (await take(phrase)) as { addresses: readonly string[] }
    expect(addresses).toHaveLength(10)
    expect(addresses[0]).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266')
    expect(addresses[9]).toBe('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720')
    await agree('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720')
    const { begun, create } = await walletVault()
    expect((await create(await seal(begun))).address).toBe('0xa0Ee7A142d267C1f36714E4a8F75612F20a79720')
  })

  it('seals no key before the user accepted its address, and none of another address', async () => {
    const { agree, take, seal } = importVault()
    const { begun } = await walletVault()
    const elsewhere = privateKeyToAccount(generatePrivateKey()).address
    for (const text of [
      generatePrivateKey(),
      'test test test test test test test test test test test junk',
    ]) {
      await take(text)
      await expect(agree(elsewhere)).rejects.toEqual(failure('vault_operation_unknown'))
      await expect(seal(begun)).rejects.toEqual(failure('vault_operation_unknown'))
    }
  })

  it('requires a new acceptance for a key that replaces another', async () => {
    const { ask, agree, bring, take, seal } = importVault()
    const { begun } = await walletVault()
    const [first, second] = [generatePrivateKey(), generatePrivateKey()]
    const { publicKey } = (await ask('begin')) as { publicKey: string }
    await bring(first)
    await ask('takeSealed', { privateKey: await sealKeyText(publicKey, second) })
    await expect(agree(privateKeyToAccount(first).address)).rejects.toEqual(
      failure('vault_operation_unknown'),
    )
    await expect(seal(begun)).rejects.toEqual(failure('vault_operation_unknown'))
    await bring(first)
    await take(second)
    await expect(seal(begun)).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('wipes the other accounts of a seed phrase when the user accepts one', async () => {
    const { agree, take } = importVault()
    const { addresses } = (await take(`${'test '.repeat(11)}junk`)) as { addresses: string[] }
    const [first = '', second = ''] = addresses
    await agree(second)
    await expect(agree(first)).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('wipes a seed phrase and its passphrase after reading them, valid or not', async () => {
    const { ask } = importVault()
    for (const phrase of [`${'test '.repeat(11)}junk`, 'test '.repeat(12)]) {
      const [text, passphrase] = [bytesOf(phrase), bytesOf('correct horse')]
      await ask('take', { text, passphrase })
      expect([...text, ...passphrase].every((byte) => byte === 0)).toBe(true)
    }
  })

  it('accepts only a key from a host page, not a seed phrase', async () => {
    const { ask } = importVault()
    const { publicKey } = (await ask('begin')) as { publicKey: string }
    const privateKey = await sealKeyText(publicKey, `${'test '.repeat(11)}junk`)
    expect(await ask('takeSealed', { privateKey })).toEqual({ problem: 'seed_phrase' })
  })

  it('seals a key once, and none after forget or after an invalid input', async () => {
    const { bring, take, seal, ask } = importVault()
    const { begun } = await walletVault()
    await expect(seal(begun)).rejects.toEqual(failure('vault_operation_unknown'))
    await bring(generatePrivateKey())
    await seal(begun)
    await expect(seal(begun)).rejects.toEqual(failure('vault_operation_unknown'))
    for (const undo of [() => ask('forget'), () => take('none'), () => ask('begin')]) {
      await bring(generatePrivateKey())
      await undo()
      await expect(seal(begun)).rejects.toEqual(failure('vault_operation_unknown'))
    }
  })

  it('forgets the key after ten minutes', async () => {
    for (const [afterMs, isThere] of [
      [10 * 60_000 - 1, true],
      [10 * 60_000, false],
    ] as const) {
      const { bring, seal, clock } = importVault()
      const { begun } = await walletVault()
      await bring(generatePrivateKey())
      clock.advance(afterMs)
      if (isThere) await expect(seal(begun)).resolves.toBeDefined()
      else await expect(seal(begun)).rejects.toEqual(failure('vault_operation_unknown'))
    }
  })

  it('seals the key so that only the vault of that step can read it', async () => {
    const privateKey = generatePrivateKey()
    const { bring, seal } = importVault()
    const [there, elsewhere] = [await walletVault(), await walletVault()]
    await bring(privateKey)
    const key = await seal(there.begun)
    expect(Buffer.from(key.ct, 'base64url').toString('hex')).not.toContain(privateKey.slice(2))
    await expect(elsewhere.create(key)).rejects.toEqual(failure('envelope_refused'))
    const { id } = there.begun.operation
    const anotherStep = { operation: { id, step: 2 } }
    await expect(there.create(key, {}, anotherStep)).rejects.toEqual(failure('envelope_refused'))
  })

  it("opens a host page's key with its key pair, once", async () => {
    const { ask, agree, seal } = importVault()
    const { begun, create } = await walletVault()
    const privateKey = generatePrivateKey()
    const { publicKey } = (await ask('begin')) as { publicKey: string }
    const given = await sealKeyText(publicKey, privateKey)
    expect(await ask('takeSealed', { privateKey: given })).toEqual({
      address: privateKeyToAccount(privateKey).address,
    })
    await agree(privateKeyToAccount(privateKey).address)
    expect((await create(await seal(begun))).address).toBe(privateKeyToAccount(privateKey).address)
    await expect(ask('takeSealed', { privateKey: given })).rejects.toEqual(failure('vault_operation_unknown'))
    await ask('begin')
    await expect(ask('takeSealed', { privateKey: given })).rejects.toEqual(failure('envelope_refused'))
  })

  it('rejects requests of other vaults', async () => {
    const { ask } = importVault()
    for (const name of ['make', 'create', 'sign', 'show', 'open', 'recover', 'toString'])
      await expect(ask(name)).rejects.toEqual(failure('invalid_request_arguments'))
  })

  it('leaves key and text in no array after sealing, like the vault that creates the wallet', async () => {
    const privateKey = generatePrivateKey()
    const text = bytesOf(privateKey)
    const { ask, agree, seal } = importVault()
    const { begun, create } = await walletVault()
    const { address } = privateKeyToAccount(privateKey)
    const Original = globalThis.Uint8Array
    const made: Uint8Array[] = [text]
    const recording = new Proxy(Original, {
      construct(target, given) {
        const array: Uint8Array = Reflect.construct(target, given)
        made.push(array)
        return array
      },
    })
    globalThis.Uint8Array = recording
    Original.prototype.constructor = recording
    try {
      await ask('take', { text })
      await agree(address)
      await create(await seal(begun))
    } finally {
      globalThis.Uint8Array = Original
      Original.prototype.constructor = Original
    }
    const key = Buffer.from(privateKey.slice(2), 'hex')
    expect(made.length).toBeGreaterThan(10)
    expect(text.every((byte) => byte === 0)).toBe(true)
    // The curve's own signing makes a copy of the number that it signs with, which is out of reach.
    const holdsIt = (array: Uint8Array) => array.length === key.length && key.equals(array)
    expect(made.filter(holdsIt)).toHaveLength(1)
    expect(made.filter((array) => Buffer.from(array).includes(privateKey.slice(2)))).toEqual([])
  })
})

describe('a wallet of an imported key', () => {
  it('is created once from the sealed key, and never with another kind or chain', async () => {
    const { bring, seal } = importVault()
    const sealedFor = async ({ begun }: { begun: Begun }) => {
      await bring(generatePrivateKey())
      return seal(begun)
    }
    for (const [change, code] of [
      [{ kind: 'entropy' }, 'share_malformed'],
      [{ chain: 'solana' }, 'not_supported'],
    ] as const) {
      const there = await walletVault()
      await expect(there.create(await sealedFor(there), change)).rejects.toEqual(failure(code))
      expect(there.disk.records.size).toBe(0)
    }
    const there = await walletVault()
    const key = await sealedFor(there)
    await there.create(key)
    await expect(there.create(key)).rejects.toEqual(failure('vault_operation_unknown'))
    const newLine = { ...creation, line }
    await expect(askWallet(newVault(emptyDisk()), 'create', newLine)).rejects.toEqual(
      failure('share_malformed'),
    )
  })

  // spec W1.1
  it.each([
    ['user-passcode', 'import-with-password'],
    ['passkey', 'import-with-passkey'],
    ['google-drive', 'import'],
    ['icloud', 'import'],
  ] as const)('can be created with recovery by %s', async (method, kind) => {
    const privateKey = generatePrivateKey()
    const { bring, seal } = importVault()
    const { vault, begun, create } = await walletVault()
    const { operation, publicKey } = begun
    expect(await askWallet(vault, 'enter', { operation, kind })).toEqual({ publicKey })
    await bring(privateKey)
    const given = {
      'user-passcode': async () => ({
        password: await sealPassword(publicKey, 'correct-horse-battery', operation),
      }),
      passkey: async () => ({
        secret: await sealPasskey(publicKey, new Uint8Array(32).fill(7), operation),
        credentialId: 'AAAA',
      }),
      'google-drive': async () => ({}),
      icloud: async () => ({}),
    }
    const recoveryStorage = { method, ...(await given[method]()) }
    const made = await create(await seal(begun), {}, { recoveryStorage })
    expect(made.address).toBe(privateKeyToAccount(privateKey).address)
    expect(made.recovery.method).toBe(method)
    expect(made.file !== undefined).toBe(method === 'google-drive' || method === 'icloud')
  })

  it('signs with its key, on the importing device and on one that recovered it', async () => {
    const { mine, privateKey } = await imported()
    const { address } = privateKeyToAccount(privateKey)
    expect(mine.wallet.address).toBe(address)
    const elsewhere = newVault(emptyDisk())
    await expect(signIn(elsewhere, mine)).rejects.toEqual(failure('wallet_not_on_device'))
    await recoverIn(elsewhere, mine)
    for (const vault of [mine.vault, elsewhere]) {
      const { data } = await signIn(vault, mine)
      const signature = data as `0x${string}`
      expect(await recoverMessageAddress({ message: 'hello', signature })).toBe(address)
    }
  })

  it('has shares of its own kind and length, of which one alone reveals nothing', async () => {
    const { mine, privateKey } = await imported()
    for (const share of [mine.stored.auth, mine.stored.recovery]) {
      // Version, kind, chain.
      expect([...share.subarray(0, 3)]).toEqual([1, 2, 1])
      expect(share[5]).toBe(32)
      expect(Buffer.from(share).toString('hex')).not.toContain(privateKey.slice(2))
    }
  })

  it('does not open as a wallet of entropy, even if the server reports it as one', async () => {
    const { mine } = await imported()
    const lying = { ...mine, wallet: { ...mine.wallet, kind: 'entropy' as const } }
    await expect(signIn(mine.vault, lying)).rejects.toMatchObject({
      code: expect.stringMatching(/^(?:envelope_refused|wallet_not_on_device|share_mismatch)$/),
    })
  })

  it("can change its recovery: the next generation opens with the user's input", async () => {
    const { mine } = await imported()
    const begun = await beginIn(mine.vault)
    const made = await askWallet(mine.vault, 'reshare', {
      wallet: mine.wallet,
      operation: begun.operation,
      auth: await mine.release(begun, 'auth', {}, null, 'set-recovery'),
      generation: 2,
      serverKey: server.key,
      recoveryStorage: { method: 'google-drive' },
    })
    expect(made.recovery).toMatchObject({ method: 'google-drive' })
    expect(made.file).toBeDefined()
    const auth = await server.open(made.auth, { ...mine.wallet, generation: 2, role: 'auth' })
    expect([auth[1], auth[5]]).toEqual([2, 32])
  })

  // spec W2.27
  it('is exported as its key only, because it has no phrase', async () => {
    const { mine, privateKey } = await imported()
    const { ask, begin, show } = exportVault()
    const { publicKey } = await begin()
    expect(await ask('open', await sharesFor(mine, publicKey))).toEqual({ forms: ['key'] })
    const { text } = await show('key')
    expect(new TextDecoder().decode(text)).toBe(privateKey)
    await expect(show('phrase')).rejects.toEqual(failure('vault_operation_unknown'))
  })
})
