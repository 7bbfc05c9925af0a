/**
 * Signed key requests: an app creates one, and a user approves or denies it.
 * https://docs.farcaster.xyz/reference/farcaster/signer-requests
 */
import { randomBytes } from 'node:crypto'
import type { KeyRegistry } from './key-registry.ts'
import { fidByName } from './phone.ts'

/** The only app that has an account, and the private key of its custody address. */
const appFid = 9152
const appKey = `0x${'5a'.repeat(32)}` as const

export type KeyRequestInput = {
  key: string
  requestFid: number
  signature: string
  deadline: number
}
export type KeyRequest = {
  token: string
  key: string
  requestFid: number
  deadline: number
  /** `approved` means that the transaction is still pending. */
  state: 'pending' | 'approved' | 'completed'
  userFid?: number
}

/** `remove` removes an approved key from the account again. */
export const signerActs = ['approve', 'approve-slowly', 'deny', 'remove'] as const
export type SignerAct = (typeof signerActs)[number]

export type Signers = {
  /** Returns undefined if the app did not sign the request, or if it has expired. */
  create: (asked: KeyRequestInput) => Promise<KeyRequest | undefined>
  find: (token: string) => KeyRequest | undefined
  /** Returns the text for the user. */
  act: (token: string, act: SignerAct, person: string) => Promise<string>
  counts: () => { last: string | null; asked: number; looked: number }
  countPoll: () => void
}

export function createSigners(clock: { now: () => number }, registry: KeyRegistry | undefined): Signers {
  const keyRequests = new Map<string, KeyRequest>()
  const counters = { last: null as string | null, asked: 0, looked: 0 }

  return {
    async create({ key, requestFid, signature, deadline }) {
      if (requestFid !== appFid || deadline * 1_000 <= clock.now()) return undefined
      if (!(await isSignedByApp({ key, deadline, signature }))) return undefined
      const token = `0x${randomBytes(16).toString('hex')}`
      const keyRequest: KeyRequest = { token, key, requestFid, deadline, state: 'pending' }
      keyRequests.set(token, keyRequest)
      counters.asked += 1
      counters.last = token
      return keyRequest
    },
    find: (token) => keyRequests.get(token),
    async act(token, act, person) {
      const keyRequest = keyRequests.get(token)
      if (keyRequest === undefined) return 'This request is not known'
      if (registry === undefined) return 'The sandbox runs without a chain, so nobody has an account'
      if (act === 'deny') return 'Denied'
      if (act === 'remove') {
        await registry.set(keyRequest.userFid ?? fidByName(person), keyRequest.key, 'removed')
        return 'Removed'
      }
      const userFid = fidByName(person)
      if (act === 'approve') await registry.set(userFid, keyRequest.key, 'added')
      keyRequests.set(token, { ...keyRequest, userFid, state: act === 'approve' ? 'completed' : 'approved' })
      return 'Approved'
    },
    counts: () => ({ ...counters }),
    countPoll() {
      counters.looked += 1
    },
  }
}

async function isSignedByApp({
  key,
  deadline,
  signature,
}: Omit<KeyRequestInput, 'requestFid'>): Promise<boolean> {
  // viem is loaded on first use, because most runs sign nothing.
  const { privateKeyToAccount } = await import('viem/accounts')
  const { recoverTypedDataAddress } = await import('viem')
  const signer = await recoverTypedDataAddress({
    domain: {
      name: 'Farcaster SignedKeyRequestValidator',
      version: '1',
      chainId: 10,
      verifyingContract: '0x00000000FC700472606ED4fA22623Acf62c60553',
    },
    types: {
      SignedKeyRequest: [
        { name: 'requestFid', type: 'uint256' },
        { name: 'key', type: 'bytes' },
        { name: 'deadline', type: 'uint256' },
      ],
    },
    primaryType: 'SignedKeyRequest',
    message: { requestFid: BigInt(appFid), key: `0x${key.slice(2)}`, deadline: BigInt(deadline) },
    signature: `0x${signature.slice(2)}`,
  }).catch(() => undefined)
  return signer === privateKeyToAccount(appKey).address
}
