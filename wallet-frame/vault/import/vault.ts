/**
 * The vault of the import page, the one place to which a user gives a key of theirs. It says the address of what it
 * took, and seals the key to the vault of the wallet when its user has said that this is the one: then, at its deadline,
 * or at the end of the page the key is gone here. Neither this thread nor the page that it answers has a network.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { Clock } from '../../clock.ts'
import type { EvmAddress } from '../checksum.ts'
import { addressOf } from '../evm-address.ts'
import { makeVaultKey, sealImported, type VaultKey } from '../sealing.ts'
import { type SecretBytes, wipe, withSecret } from '../secret-bytes.ts'
import { type Served, serveRequests } from '../serve.ts'
import type { ImportOutputs, KeyProblem } from './contract.ts'
import { readKeyText } from './key-text.ts'
import { type ImportInputs, importInputs } from './requests.ts'

type Taken = { readonly key: SecretBytes; readonly diesAtMs: number; readonly stopDeadline: () => void }

export function createImportVault(clock: Clock): Served {
  let pair: VaultKey | undefined
  let taken: Taken | undefined
  let openUntilMs = 0

  function forget() {
    taken?.stopDeadline()
    wipe(taken?.key)
    taken = undefined
  }

  /** Wipes the text in any case, valid or not. */
  function take(text: Uint8Array): { readonly address: EvmAddress } | { readonly problem: KeyProblem } {
    forget()
    try {
      const read = readKeyText(text)
      if ('problem' in read) return read
      const diesAtMs = clock.nowMs() + walletLimits.operationMs
      taken = { key: read.key, diesAtMs, stopDeadline: clock.after(walletLimits.operationMs, forget) }
      openUntilMs = diesAtMs
      return { address: addressOf(read.key) }
    } finally {
      wipe(text)
    }
  }

  return serveRequests<ImportInputs, ImportOutputs>({
    inputs: importInputs,
    openForMs: () => Math.max(0, openUntilMs - clock.nowMs()),
    handlers: {
      async begin() {
        forget()
        pair = await makeVaultKey()
        // The user may take their time to find the key.
        openUntilMs = clock.nowMs() + walletLimits.operationMs
        return { publicKey: pair.publicKey }
      },
      take: ({ text }) => take(text),
      async takeSealed({ privateKey }) {
        const used = pair
        pair = undefined
        if (!used) throw nothingOpen()
        return withSecret(used.openKeyText(privateKey), take)
      },
      forget() {
        forget()
        return {}
      },
      async seal({ vaultKey, operation }) {
        const given = taken
        taken = undefined
        given?.stopDeadline()
        // A timer may be late, as after a machine slept: the deadline holds without it.
        if (!given || given.diesAtMs <= clock.nowMs()) {
          wipe(given?.key)
          throw nothingOpen()
        }
        return { key: await withSecret(given.key, (key) => sealImported(vaultKey, key, operation)) }
      },
    },
  })
}

const nothingOpen = () => new LatchkeyError('vault_operation_unknown', 'There is no key here to be imported')
