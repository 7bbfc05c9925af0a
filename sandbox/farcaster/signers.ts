/**
 * Requests for a key, as the API of Farcaster takes them from an app and tells what a person made of them.
 * https://docs.farcaster.xyz/reference/farcaster/signer-requests
 */
import { randomBytes } from 'node:crypto'
import type { KeyRegistry } from './key-registry.ts'
import { fidOf } from './phone.ts'

/** The one app that has an account here, and the key of its custody address. */
const appFid = 9152
const appKey = `0x${'5a'.repeat(32)}` as const

export type Asked = {
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
  /** `approved`: on its way to the chain. */
  state: 'pending' | 'approved' | 'completed'
  userFid?: number
}

/** `remove`: whoever approved takes the key from their account again. */
export const signerActs = ['approve', 'approve-slowly', 'deny', 'remove'] as const
export type SignerAct = (typeof signerActs)[number]

export type Signers = {
  /** Gives undefined if the app did not sign this or the request has expired. */
  ask: (asked: Asked) => Promise<KeyRequest | undefined>
  find: (token: string) => KeyRequest | undefined
  /** Gives a sentence for the person. */
  act: (token: string, act: SignerAct, person: string) => Promise<string>
  counts: () => { last: string | null; asked: number; looked: number }
  countLook: () => void
}

export function createSigners(clock: { now: () => number }, registry: KeyRegistry | undefined): Signers {
  const kept = new Map<string, KeyRequest>()
  const counted = { last: null as string | null, asked: 0, looked: 0 }

  return {
    async ask({ key, requestFid, signature, deadline }) {
      if (requestFid !== appFid || deadline * 1_000 <= clock.now()) return undefined
      if (!(await isSignedByApp({ key, deadline, signature }))) return undefined
      const token = `0x${randomBytes(16).toString('hex')}`
      const made: KeyRequest = { token, key, requestFid, deadline, state: 'pending' }
      kept.set(token, made)
      counted.asked += 1
      counted.last = token
      return made
    },
    find: (token) => kept.get(token),
    async act(token, act, person) {
      const found = kept.get(token)
      if (found === undefined) return 'This request is not known'
      if (registry === undefined) return 'The sandbox runs without a chain, so nobody has an account'
      if (act === 'deny') return 'Denied'
      if (act === 'remove') {
        await registry.set(found.userFid ?? fidOf(person), found.key, 'removed')
        return 'Removed'
      }
      const userFid = fidOf(person)
      if (act === 'approve') await registry.set(userFid, found.key, 'added')
      kept.set(token, { ...found, userFid, state: act === 'approve' ? 'completed' : 'approved' })
      return 'Approved'
    },
    counts: () => ({ ...counted }),
    countLook() {
      counted.looked += 1
    },
  }
}

async function isSignedByApp({ key, deadline, signature }: Omit<Asked, 'requestFid'>): Promise<boolean> {
  // Loaded by the first who asks: most runs of the sandbox see nobody.
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
