/**
 * Signatures of a wallet after its delegation to the account contract (EIP-7702). Contracts verify them in one of two
 * ways: by `ecrecover`, or by `isValidSignature` (ERC-1271) because the signer has code now.
 */
import { batchAccount, delegatedCode } from '@latchkey/protocol/wallet'
import * as v from 'valibot'
import {
  createClient,
  type Hex,
  hashMessage,
  hashTypedData,
  http,
  publicActions,
  testActions,
  walletActions,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { parseAbi, recoverAddress } from 'viem/utils'
import { beforeAll, expect, test } from 'vitest'
import { sessionAnswer } from '../../identity/sessions/testing/browser.ts'
import { createRpcChains } from '../../integrations/chains/rpc-chains.ts'
import { forDefaultEngine } from '../../kernel/db/test-engines.ts'
import { startChain } from '../../testing/sandbox.ts'
import { siweFixture } from './testing/fixture.ts'

const chainUrl = await startChain()
const node = createClient({ transport: http(chainUrl), pollingInterval: 10 })
  .extend(publicActions)
  .extend(walletActions)
  .extend(testActions({ mode: 'anvil' }))
const chainId = 31_337
const wallet = privateKeyToAccount(generatePrivateKey())

async function delegate(): Promise<void> {
  const [payer] = await node.getAddresses()
  if (!payer) throw new Error('The chain has no account that pays')
  const authorization = await wallet.signAuthorization({ address: batchAccount.address, chainId, nonce: 0 })
  const hash = await node.sendTransaction({
    account: payer,
    chain: null,
    to: wallet.address,
    authorizationList: [authorization],
  })
  await node.waitForTransactionReceipt({ hash })
}

const spender = `0x${'a1'.repeat(20)}` as const
const token = `0x${'b2'.repeat(20)}` as const
const deadline = 1_900_000_000n

/** https://eips.ethereum.org/EIPS/eip-2612 */
const permit = {
  domain: { name: 'USD Coin', version: '2', chainId, verifyingContract: token },
  types: {
    Permit: [
      { name: 'owner', type: 'address' },
      { name: 'spender', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'nonce', type: 'uint256' },
      { name: 'deadline', type: 'uint256' },
    ],
  },
  primaryType: 'Permit',
  message: { owner: wallet.address, spender, value: 5n, nonce: 0n, deadline },
} as const
/** https://docs.uniswap.org/contracts/permit2/reference/allowance-transfer */
const permit2 = {
  domain: { name: 'Permit2', chainId, verifyingContract: '0x000000000022D473030F116dDEE9F6B43aC78BA3' },
  types: {
    PermitSingle: [
      { name: 'details', type: 'PermitDetails' },
      { name: 'spender', type: 'address' },
      { name: 'sigDeadline', type: 'uint256' },
    ],
    PermitDetails: [
      { name: 'token', type: 'address' },
      { name: 'amount', type: 'uint160' },
      { name: 'expiration', type: 'uint48' },
      { name: 'nonce', type: 'uint48' },
    ],
  },
  primaryType: 'PermitSingle',
  message: {
    details: { token, amount: 5n, expiration: Number(deadline), nonce: 0 },
    spender,
    sigDeadline: deadline,
  },
} as const
/** https://eips.ethereum.org/EIPS/eip-3009 */
const transfer = {
  domain: permit.domain,
  types: {
    TransferWithAuthorization: [
      { name: 'from', type: 'address' },
      { name: 'to', type: 'address' },
      { name: 'value', type: 'uint256' },
      { name: 'validAfter', type: 'uint256' },
      { name: 'validBefore', type: 'uint256' },
      { name: 'nonce', type: 'bytes32' },
    ],
  },
  primaryType: 'TransferWithAuthorization',
  message: {
    from: wallet.address,
    to: spender,
    value: 5n,
    validAfter: 0n,
    validBefore: deadline,
    nonce: `0x${'c3'.repeat(32)}`,
  },
} as const

const accountAbi = parseAbi([
  'function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)',
])
const isValidSelector = '0x1626ba7e'

const isValidSignature = (hash: Hex, signature: Hex) =>
  node.readContract({
    address: wallet.address,
    abi: accountAbi,
    functionName: 'isValidSignature',
    args: [hash, signature],
  })

beforeAll(async () => {
  await delegate()
  expect(await node.getCode({ address: wallet.address })).toBe(delegatedCode)
})

test.each<[string, Hex, () => Promise<Hex>]>([
  ['a permit (ERC-2612)', hashTypedData(permit), () => wallet.signTypedData(permit)],
  ['a permit of Permit2', hashTypedData(permit2), () => wallet.signTypedData(permit2)],
  ['a transfer (EIP-3009)', hashTypedData(transfer), () => wallet.signTypedData(transfer)],
  ['a message', hashMessage('Two herons'), () => wallet.signMessage({ message: 'Two herons' })],
])('%s of a delegated wallet is valid for contracts of both kinds', async (_name, hash, sign) => {
  const signature = await sign()
  expect(await recoverAddress({ hash, signature })).toBe(wallet.address)
  expect(await isValidSignature(hash, signature)).toBe(isValidSelector)
  const stranger = privateKeyToAccount(generatePrivateKey())
  expect(await isValidSignature(hash, await stranger.sign({ hash }))).not.toBe(isValidSelector)
})

forDefaultEngine((database) => {
  test('a delegated wallet logs in with SIWE as the same user as before', async () => {
    const fixture = await siweFixture(database(), createRpcChains(new Map([[chainId, chainUrl]])))
    const signer = { ...wallet, sign: (message: string) => wallet.signMessage({ message }) }
    const parts = { chainId }
    const userId = async () => {
      const { status, answer } = await fixture.login(await fixture.signedByNow(signer, parts))
      expect([status, answer]).toEqual([200, expect.anything()])
      return v.parse(sessionAnswer, answer).user.id
    }
    const delegated = await userId()
    await node.setCode({ address: wallet.address, bytecode: '0x' })
    expect(await userId()).toBe(delegated)
  })
})
