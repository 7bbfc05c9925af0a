/**
 * Signs the key request with the operator's account, which identifies the requesting app to Farcaster.
 * https://docs.farcaster.xyz/reference/contracts/reference/signed-key-request-validator
 */
import { privateKeyToAccount } from 'viem/accounts'
import type { AppAccount } from './environment.ts'

const domain = {
  name: 'Farcaster SignedKeyRequestValidator',
  version: '1',
  chainId: 10,
  verifyingContract: '0x00000000FC700472606ED4fA22623Acf62c60553',
} as const
const types = {
  SignedKeyRequest: [
    { name: 'requestFid', type: 'uint256' },
    { name: 'key', type: 'bytes' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

export const signKeyRequest = (
  key: string,
  deadlineSeconds: number,
  { fid, privateKey }: AppAccount,
): Promise<string> =>
  privateKeyToAccount(privateKey).signTypedData({
    domain,
    types,
    primaryType: 'SignedKeyRequest',
    message: { requestFid: BigInt(fid), key: `0x${key.slice(2)}`, deadline: BigInt(deadlineSeconds) },
  })
