/**
 * A wallet of a key that the page beside the frame has. It is kept as one that is made here: only who splits the secret
 * is another, and that it is nobody else's wallet that the user ends up with.
 */
import { isSameAddress, LatchkeyError } from '@latchkey/protocol'
import type { Channel } from '@latchkey/protocol/channel'
import { lineOf } from '../shares/pinned-wallet.ts'
import type * as placed from '../shares/placed-wallet.ts'
import type { StepCall, WalletPorts } from '../shares/ports.ts'
import type { PageCalls } from './contract.ts'

/** What the frame has at hand, since a wallet that is made here needs it too. */
export type ImportPorts = WalletPorts & Pick<typeof placed, 'beginWallet' | 'commitMade' | 'taken'>

export async function importWallet(
  ports: ImportPorts,
  page: Channel<PageCalls>,
  call: StepCall,
  address: string,
): Promise<placed.CreatedWallet> {
  const { signal, operation } = call
  await ports.vault.ask('enter', { operation, kind: 'create' }, signal)
  const { beginWallet, commitMade, taken } = ports
  const place = await beginWallet(ports, call, 'ethereum')
  if (place.status === 'committed') {
    // Asked again: the answer to the first time was lost.
    assertImported(place.address, address)
    return taken(ports, call, place)
  }
  const made = await page.call(
    'make',
    { line: lineOf(ports, place), serverKey: place.sealingKey },
    { signal },
  )
  assertImported(made.address, address)
  const { wallet, user } = await commitMade(ports, call, place, made)
  assertImported(wallet.address, address)
  return { ...(await taken(ports, call, wallet)), user }
}

function assertImported(found: string, address: string): void {
  if (isSameAddress(found, address)) return
  throw new LatchkeyError('embedded_wallet_already_exists', 'The user has another wallet')
}
