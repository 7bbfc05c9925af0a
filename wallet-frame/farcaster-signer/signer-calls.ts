/**
 * The calls of the Farcaster signer, between the server, which releases shares, and the vault, which derives
 * the key.
 */

import { farcasterSignerRoutes, type RouteOutput } from '@latchkey/protocol/api'
import type { Handlers } from '@latchkey/protocol/channel'
import type { WalletFrameCalls } from '@latchkey/protocol/wallet'
import { assertAddress, toPinnedWallet } from '../shares/pinned-wallet.ts'
import type { Factor, StepCall, WalletPorts } from '../shares/ports.ts'

type Name = Extract<keyof WalletFrameCalls, `farcaster:${string}`>
type Calls = Handlers<WalletFrameCalls>
type Data<N extends Name> = Parameters<Calls[N]>[0]
type Answer<N extends Name> = Awaited<ReturnType<Calls[N]>>
type Released = RouteOutput<typeof farcasterSignerRoutes.releaseForSigner>

/** Uses one release. Each call is a separate operation, in which the vault opens one release. */
async function withRelease(
  ports: WalletPorts,
  call: StepCall,
  address: string,
  release: (factor: Factor) => Promise<Released>,
  hash?: string,
) {
  const { operation, signal } = call
  const kind = hash === undefined ? 'farcaster-signer' : 'farcaster-sign'
  await ports.vault.call('enter', { operation, kind }, signal)
  const { wallet, authShare: auth, keyIndex } = await call.withFactor(release)
  assertAddress(wallet, address)
  const input = { wallet: toPinnedWallet(ports, wallet), operation, auth, keyIndex }
  return ports.vault.call('farcasterSigner', { ...input, ...(hash !== undefined && { hash }) }, signal)
}

export async function initSigner(
  ports: WalletPorts,
  call: StepCall,
  { address }: Data<'farcaster:init-signer'>,
): Promise<Answer<'farcaster:init-signer'>> {
  const { publicKey } = await withRelease(ports, call, address, (factor) =>
    ports.api(farcasterSignerRoutes.releaseForSigner, call, factor),
  )
  return ports.api(farcasterSignerRoutes.initSigner, call, { ed25519PublicKey: publicKey })
}

export async function signForFarcaster(
  ports: WalletPorts,
  call: StepCall,
  { address, payload: { hash }, fid }: Data<'farcaster:sign'>,
): Promise<Answer<'farcaster:sign'>> {
  const body = { hash, fid: Number(fid) }
  const { signature = '' } = await withRelease(
    ports,
    call,
    address,
    (factor) => ports.api(farcasterSignerRoutes.releaseToSignForFarcaster, call, { ...body, ...factor }),
    hash,
  )
  return { hash, signature }
}
