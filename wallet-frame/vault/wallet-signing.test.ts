/** Signing: refusals, and that a released share opens once. */
import { type Delegation, noDelegate, type ShareContext, type WalletPurpose } from '@latchkey/protocol/wallet'
import type { Hex } from 'viem'
import { hashAuthorization, recoverAddress } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { helloDigest, messageDigest } from '../testing/digests.ts'
import { emptyDisk } from '../testing/memory-database.ts'
import { sealToVault } from '../testing/server/sealing-server.ts'
import { ask, beginIn, newVault, type TestWallet, testWallet } from '../testing/test-wallet.ts'
import type { VaultInput } from './contract.ts'
import { deriveEvmAddress } from './keys/derivation.ts'
import { decodeShare, encodeShare } from './shares/share.ts'
import type { Vault } from './vault.ts'

const failure = (code: string, reason?: string) =>
  expect.objectContaining({ code, ...(reason && { details: { reason } }) })
const elsewhere = await deriveEvmAddress(new Uint8Array(16))

describe('signing', () => {
  type Sign = VaultInput<'sign'>
  const personalSign = (message: string, address: string): Sign['request'] => ({
    method: 'personal_sign',
    params: [message, address],
  })
  const refused: Record<
    string,
    (mine: TestWallet, good: Sign, vaultKey: string) => Promise<[Partial<Sign>, unknown]>
  > = {
    'a share for another key': async ({ release }, { operation }) => {
      const { publicKey } = await beginIn(newVault(emptyDisk()))
      return [
        { auth: await release({ publicKey, operation }, 'auth', {}, helloDigest) },
        failure('envelope_refused'),
      ]
    },
    "another user's share": changed({ userId: 'user_2' }),
    "another wallet's share": changed({ walletId: 'wallet_2' }),
    'a share of another kind': changed({ kind: 'imported-key' }),
    'a share of another chain': changed({ chain: 'solana' }),
    'a share of another generation': changed({ generation: 2 }),
    'a share of another address': changed({ address: elsewhere }),
    'the share of another role': async ({ release }, { operation }, publicKey) => [
      { auth: await release({ publicKey, operation }, 'recovery', {}, helloDigest) },
      failure('envelope_refused'),
    ],
    'another share under its name': sealed(
      ({ stored }) => stored.recovery,
      failure('share_mismatch', 'wrong_role'),
    ),
    'a share with a flipped bit': sealed(
      ({ stored }) => stored.auth.map((byte, at) => (at === stored.auth.length - 1 ? byte ^ 1 : byte)),
      failure('share_mismatch', 'wrong_address'),
    ),
    'a share at x = 0': sealed(
      ({ stored }) => withByte(stored.auth, 4, 0),
      failure('share_malformed', 'x_is_zero'),
    ),
    'a share that says another kind': sealed(
      ({ stored, contextOf }) =>
        encodeShare({
          ...decodeShare(stored.auth, contextOf('auth')),
          kind: 'imported-key',
          y: new Uint8Array(32),
        }),
      failure('share_mismatch', 'wrong_kind'),
    ),
    'a share that says another chain': sealed(
      ({ stored }) => withByte(stored.auth, 2, 2),
      failure('share_mismatch', 'wrong_chain'),
    ),
    'a share that says another generation': sealed(
      ({ stored }) => withByte(stored.auth, 9, 2),
      failure('share_mismatch', 'wrong_generation'),
    ),
    'a share of a newer version': sealed(
      ({ stored }) => withByte(stored.auth, 0, 7),
      failure('share_unknown_version', 'unknown_version'),
    ),
    'a share that was cut': sealed(
      ({ stored }) => stored.auth.slice(0, -1),
      failure('share_malformed', 'too_short'),
    ),
    'a wallet of another generation': async ({ wallet }) => [
      { wallet: { ...wallet, generation: 2 } },
      failure('wallet_not_on_device', 'wrong_generation'),
    ],
    'a wallet of another address': async ({ wallet }) => [
      { wallet: { ...wallet, address: elsewhere }, request: personalSign('hello', elsewhere) },
      failure('share_mismatch', 'wrong_address'),
    ],
    'its address in another case': async ({ wallet }) => [
      { wallet: { ...wallet, address: wallet.address.toLowerCase() } },
      failure('share_mismatch', 'wrong_address'),
    ],
    'a request for another address': async () => [
      { request: personalSign('hello', elsewhere) },
      failure('invalid_request_arguments'),
    ],
    'an empty message': async ({ wallet }) => [
      { request: personalSign('', wallet.address) },
      failure('invalid_request_arguments'),
    ],
    'half a byte': async ({ wallet }) => [
      { request: personalSign('0x1', wallet.address) },
      failure('invalid_request_arguments'),
    ],
    'what could be taken for a proof': async ({ wallet }) => [
      { request: personalSign('latchkey/wallet-proof/', wallet.address) },
      failure('invalid_request_arguments'),
    ],
  }

  function changed(about: Partial<ShareContext>) {
    return async ({ release }: TestWallet, { operation }: Sign, publicKey: string) => {
      const change = { auth: await release({ publicKey, operation }, 'auth', about, helloDigest) }
      return [change, failure('envelope_refused', 'not_authentic')] as [Partial<Sign>, unknown]
    }
  }
  function sealed(bytesOf: (mine: TestWallet) => Uint8Array<ArrayBuffer>, expected: unknown) {
    return async (mine: TestWallet, { operation }: Sign, publicKey: string) => {
      const auth = await sealToVault(publicKey, bytesOf(mine), mine.contextOf('auth'), operation, helloDigest)
      return [{ auth }, expected] as [Partial<Sign>, unknown]
    }
  }
  function withByte(bytes: Uint8Array<ArrayBuffer>, at: number, to: number) {
    return bytes.map((byte, index) => (index === at ? to : byte))
  }
  async function good({ vault, wallet, release }: TestWallet): Promise<{ input: Sign; publicKey: string }> {
    const begun = await beginIn(vault)
    const request = personalSign('hello', wallet.address)
    const auth = await release(begun, 'auth', {}, helloDigest)
    return { input: { wallet, operation: begun.operation, auth, request }, publicKey: begun.publicKey }
  }

  it.each(Object.entries(refused))('is refused for %s', async (_name, wrong) => {
    const mine = await testWallet(emptyDisk())
    await mine.adopt()
    const { input, publicKey } = await good(mine)
    const [change, expected] = await wrong(mine, input, publicKey)
    await expect(ask(mine.vault, 'sign', { ...input, ...change })).rejects.toEqual(expected)
    const right = await good(mine)
    expect((await ask(mine.vault, 'sign', right.input)).data).toMatch(/^0x[0-9a-f]{130}$/)
  })

  it('opens a share that was released for one message only for that message', async () => {
    const mine = await testWallet(emptyDisk())
    await mine.adopt()
    const { address } = mine.wallet
    const released = async (digest: string | null) => {
      const { input, publicKey } = await good(mine)
      const { operation } = input
      return { ...input, auth: await mine.release({ publicKey, operation }, 'auth', {}, digest) }
    }
    const refusal = failure('envelope_refused', 'not_authentic')
    for (const digest of [messageDigest('hello!'), null]) {
      await expect(ask(mine.vault, 'sign', await released(digest))).rejects.toEqual(refusal)
    }
    const forHello = await released(helloDigest)
    const another = { ...forHello, request: personalSign('hello!', address) }
    await expect(ask(mine.vault, 'sign', another)).rejects.toEqual(refusal)
    // The same message in its other spelling has the same digest.
    const spelled = { ...(await released(helloDigest)), request: personalSign('0x68656c6c6f', address) }
    const signed = await ask(mine.vault, 'sign', await released(helloDigest))
    expect(await ask(mine.vault, 'sign', spelled)).toEqual(signed)
  })

  it('changes the delegate only with a share that was released for that', async () => {
    const mine = await testWallet(emptyDisk())
    await mine.adopt()
    const { address } = mine.wallet
    const delegation: Delegation = { chainId: 1, delegate: noDelegate, nonce: 3, fees: null }
    const digest = hashAuthorization({ address: noDelegate, chainId: 1, nonce: 3 })
    const authorize = async (purpose: WalletPurpose) => {
      const { input, publicKey } = await good(mine)
      const { operation } = input
      const auth = await mine.release({ publicKey, operation }, 'auth', {}, digest, purpose)
      const params: [string, string, string] = [address, JSON.stringify(delegation), digest]
      return { ...input, auth, request: { method: 'eth_signAuthorization' as const, params } }
    }
    const refusal = failure('envelope_refused', 'not_authentic')
    await expect(ask(mine.vault, 'sign', await authorize('sign'))).rejects.toEqual(refusal)
    const request = personalSign('hello', address)
    const misused = { ...(await authorize('set-delegate')), request }
    await expect(ask(mine.vault, 'sign', misused)).rejects.toEqual(refusal)
    const { data } = await ask(mine.vault, 'sign', await authorize('set-delegate'))
    expect(await recoverAddress({ hash: digest, signature: data as Hex })).toBe(address)
  })

  it('opens a release once', async () => {
    const mine = await testWallet(emptyDisk())
    const { input } = await good(mine)
    expect((await ask(mine.vault, 'sign', input)).data).toMatch(/^0x/)
    await expect(ask(mine.vault, 'sign', input)).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('opens a release once, even if two calls race', async () => {
    const mine = await testWallet(emptyDisk())
    const { input } = await good(mine)
    const settled = await Promise.allSettled([ask(mine.vault, 'sign', input), ask(mine.vault, 'sign', input)])
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  })

  it.each<[string, (vault: Vault, input: Sign) => Promise<Partial<Sign>>]>([
    [
      'step 2, as that of step 1',
      async (_vault, { operation }) => ({ operation: { ...operation, step: 1 } }),
    ],
    ['another operation', async (vault) => ({ operation: { ...(await beginIn(vault)).operation, step: 2 } })],
  ])('does not open the release of %s', async (_name, changeOf) => {
    const mine = await testWallet(emptyDisk())
    const begun = await beginIn(mine.vault, 2)
    const auth = await mine.release(begun, 'auth', {}, helloDigest)
    const request = personalSign('hello', mine.wallet.address)
    const input: Sign = { wallet: mine.wallet, operation: begun.operation, auth, request }
    const changed = { ...input, ...(await changeOf(mine.vault, input)) }
    await expect(ask(mine.vault, 'sign', changed)).rejects.toEqual(failure('envelope_refused'))
  })

  it('opens no release after its operation ended', async () => {
    const mine = await testWallet(emptyDisk())
    const { input } = await good(mine)
    await ask(mine.vault, 'end', { operationId: input.operation.id })
    await expect(ask(mine.vault, 'sign', input)).rejects.toEqual(failure('vault_operation_unknown'))
  })

  it('consumes nothing if it is refused for its operation, its request or the device', async () => {
    const mine = await testWallet(emptyDisk())
    const { input } = await good(mine)
    const elseId = { ...input.operation, id: 'nobody' }
    const others: Partial<Sign>[] = [
      { operation: elseId },
      { request: personalSign('', mine.wallet.address) },
      { wallet: { ...mine.wallet, generation: 2 } },
    ]
    for (const other of others) {
      await expect(ask(mine.vault, 'sign', { ...input, ...other })).rejects.toThrow()
    }
    expect((await ask(mine.vault, 'sign', input)).data).toMatch(/^0x/)
  })
})
