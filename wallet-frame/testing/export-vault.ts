/**
 * The vault of an export window, with the shares that the wallet's vault and the server seal to it, for
 * tests.
 */
import type { OperationStep, SealedShare } from '@latchkey/protocol/wallet'
import { createExportVault } from '../vault/export/vault.ts'
import { testClock } from './clock.ts'
import { ask as askWallet, beginIn, type TestWallet } from './test-wallet.ts'

export function exportVault(clock: ReturnType<typeof testClock> = testClock()) {
  const vault = createExportVault({ clock })
  let calls = 0
  async function ask(name: string, input: object = {}): Promise<unknown> {
    const answer = await vault.call({ id: String(++calls), name, input })
    if (!answer.ok) throw Object.assign(new Error(answer.error.message), answer.error)
    return answer.value
  }
  const begin = async () => (await ask('begin')) as { publicKey: string }
  const show = async (form: string) => (await ask('show', { form })) as { text: Uint8Array }
  return { clock, ask, begin, show }
}

export type SharesForExport = {
  wallet: TestWallet['wallet']
  operation: OperationStep
  auth: SealedShare
  device: SealedShare
}
/** Seals both shares of a wallet to this key, for a step of an operation of the wallet's vault. */
export async function sharesFor(mine: TestWallet, publicKey: string): Promise<SharesForExport> {
  const { wallet, vault, release } = mine
  const { operation } = await beginIn(vault, 2)
  const auth = await release({ publicKey, operation }, 'auth', {}, null, 'export')
  const { device } = await askWallet(vault, 'sealForExport', { wallet, operation, vaultKey: publicKey })
  return { wallet, operation, auth, device }
}
