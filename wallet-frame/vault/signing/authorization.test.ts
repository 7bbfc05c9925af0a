/** Compared with the hashes and transactions of viem, which builds authorizations on its own. */
import { batchAccount, type Delegation, noDelegate } from '@latchkey/protocol/wallet'
import { hexToBytes } from '@noble/hashes/utils.js'
import fc from 'fast-check'
import { type Hex, keccak256, parseTransaction, recoverAddress, recoverTransactionAddress } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { hashAuthorization, recoverAuthorizationAddress } from 'viem/utils'
import { describe, expect, it } from 'vitest'
import { delegationBytes } from './delegation-bytes.ts'
import { toSignable } from './index.ts'

const key = `0x${'11'.repeat(32)}` as const
const { address } = privateKeyToAccount(key)
const someone = `0x${'aa'.repeat(20)}` as const

const removal: Delegation = { chainId: 31_337, delegate: noDelegate, nonce: 7, fees: null }
const fees = { gas: 81_000, maxFee: '3000000000', priorityFee: '1000000000' }

const digestOf = (delegation: Delegation) => keccak256(delegationBytes(delegation, address))
const ask = (fields: object, digest: string = digestOf(removal), signer: string = address) =>
  toSignable({ method: 'eth_signAuthorization', params: [signer, JSON.stringify(fields), digest] }, address)
const sign = (delegation: Delegation) =>
  ask(delegation, digestOf(delegation)).sign(hexToBytes(key.slice(2))) as Hex

const anyDelegation: fc.Arbitrary<Delegation> = fc.record({
  chainId: fc.integer({ min: 1, max: 2 ** 48 }),
  delegate: fc.constantFrom(noDelegate, batchAccount.address),
  nonce: fc.integer({ min: 0, max: 2 ** 48 }),
  fees: fc.constant(null),
})

describe('an authorization', () => {
  it('has the hash that viem computes, and is signed by the wallet', async () => {
    fc.assert(
      fc.property(anyDelegation, (any) => {
        const { chainId, nonce, delegate } = any
        return digestOf(any) === hashAuthorization({ address: delegate, chainId, nonce })
      }),
    )
    expect(await recoverAddress({ hash: digestOf(removal), signature: sign(removal) })).toBe(address)
  })

  it.each([noDelegate, batchAccount.address])(
    'of %s is sent by the wallet itself in a transaction to itself',
    async (delegate) => {
      const raw = sign({ ...removal, delegate, fees }) as `0x04${string}`
      const { authorizationList, ...transaction } = parseTransaction(raw)
      expect(transaction).toMatchObject({
        type: 'eip7702',
        chainId: 31_337,
        nonce: 6,
        to: address.toLowerCase(),
        gas: 81_000n,
        maxFeePerGas: 3_000_000_000n,
        maxPriorityFeePerGas: 1_000_000_000n,
      })
      expect([transaction.value, transaction.data]).toEqual([undefined, undefined])
      expect(await recoverTransactionAddress({ serializedTransaction: raw })).toBe(address)
      const [authorization] = authorizationList ?? []
      expect(authorization).toMatchObject({ chainId: 31_337, nonce: 7 })
      expect(authorization?.address).toBe(delegate)
      if (authorization)
        expect(
          await recoverAuthorizationAddress({ authorization: { ...authorization, address: delegate } }),
        ).toBe(address)
    },
  )

  it.each<[string, object]>([
    ['for another contract', { delegate: someone }],
    ['for the account contract in mixed case', { delegate: batchAccount.address.toUpperCase() }],
    ['for chain 0, which is every chain', { chainId: 0 }],
    ['with another field', { data: '0x' }],
    ['with a transaction of another form', { fees: { ...fees, data: '0x12345678' } }],
    ['with more gas than a block', { fees: { ...fees, gas: 100_000_001 } }],
    ['with a transaction before the first nonce', { nonce: 0, fees }],
  ])('is refused %s', (_name, change) => {
    expect(() => ask({ ...removal, ...change })).toThrow(
      expect.objectContaining({
        code: 'invalid_request_arguments',
        message: 'The authorization cannot be signed',
      }),
    )
  })

  it('has the digest of the server and the dialog if the wallet sends it', () => {
    const sent: Delegation = {
      chainId: 8453,
      delegate: noDelegate,
      nonce: 1,
      fees: { gas: 81_000, maxFee: '3000000000', priorityFee: '0' },
    }
    expect(keccak256(delegationBytes(sent, '0x71C7656EC7ab88b098defB751B7401B5f6d8976F'))).toBe(
      '0x344197a6f822320c8ba4965dcca4b11e022f20db054c8c6ccf5fe440c8b22edf',
    )
  })

  it('is refused if a field differs from those of the digest', () => {
    const changes: Partial<Delegation>[] = [
      { chainId: 1 },
      { nonce: 8 },
      { delegate: batchAccount.address },
      { fees },
    ]
    for (const change of changes) {
      expect(() => ask({ ...removal, ...change })).toThrow(
        'The authorization does not match the digest that was shown',
      )
    }
    expect(() => ask({ ...removal, fees: { ...fees, gas: 1 } }, digestOf({ ...removal, fees }))).toThrow(
      'The authorization does not match the digest that was shown',
    )
    expect(() => ask(removal)).not.toThrow()
  })

  it('is refused for another wallet', () => {
    expect(() => ask(removal, digestOf(removal), someone)).toThrow(
      'The request names another address than the wallet',
    )
  })
})
