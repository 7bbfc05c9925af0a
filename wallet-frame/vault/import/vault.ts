/**
 * The vault of the import page, the one place to which a user gives a key of theirs, or the seed phrase of ten. It says
 * the addresses of what it took, and seals the key to the vault of the wallet when its user has said that this is the one: then, at its deadline,
 * or at the end of the page the key is gone here. Neither this thread nor the page that it answers has a network.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { Clock } from '../../clock.ts'
import type { EvmAddress } from '../keys/checksum.ts'
import { addressOf } from '../keys/evm-address.ts'
import { type SecretBytes, wipe, withSecret } from '../keys/secret-bytes.ts'
import { type Served, serveRequests } from '../serve.ts'
import { makeVaultKey, sealImported, type VaultKey } from '../shares/sealing.ts'
import type { ImportOutputs, KeyProblem, PhraseProblem } from './contract.ts'
import { readKeyText } from './key-text.ts'
import { type ImportInputs, importInputs } from './requests.ts'
import { accountKeys, isSeedPhrase, readPhrase } from './seed-phrase.ts'

/** More than one key until the user has chosen the account. */
type HeldKeys = {
  readonly keys: readonly SecretBytes[]
  readonly diesAtMs: number
  readonly stopDeadline: () => void
}

export function createImportVault(clock: Clock): Served {
  let pair: VaultKey | undefined
  let held: HeldKeys | undefined
  let openUntilMs = 0

  function forget() {
    held?.stopDeadline()
    wipe(...(held?.keys ?? []))
    held = undefined
  }

  function hold(keys: readonly SecretBytes[]) {
    const diesAtMs = clock.nowMs() + walletLimits.operationMs
    held = { keys, diesAtMs, stopDeadline: clock.after(walletLimits.operationMs, forget) }
    openUntilMs = diesAtMs
  }

  /** Wipes the text in any case, valid or not. */
  function holdKey(text: Uint8Array): { readonly address: EvmAddress } | { readonly problem: KeyProblem } {
    forget()
    try {
      const read = readKeyText(text)
      if ('problem' in read) return read
      hold([read.key])
      return { address: addressOf(read.key) }
    } finally {
      wipe(text)
    }
  }

  async function holdPhrase(
    text: Uint8Array,
    passphrase: Uint8Array,
  ): Promise<{ readonly addresses: EvmAddress[] } | PhraseProblem> {
    forget()
    const salt = new TextDecoder().decode(passphrase)
    const read = readPhrase(text)
    wipe(text, passphrase)
    if ('problem' in read) return read
    const keys = await withSecret(read.sentence, (sentence) => accountKeys(sentence, salt))
    // Another text may have been taken meanwhile.
    forget()
    hold(keys)
    return { addresses: keys.map(addressOf) }
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
      take: ({ text, passphrase = new Uint8Array() }) =>
        isSeedPhrase(text) ? holdPhrase(text, passphrase) : holdKey(text),
      async takeSealed({ privateKey }) {
        const used = pair
        pair = undefined
        if (!used) throw nothingOpen()
        return withSecret(used.openKeyText(privateKey), (text) =>
          isSeedPhrase(text) ? { problem: 'seed_phrase' as const } : holdKey(text),
        )
      },
      choose({ account }) {
        const chosen = held?.keys[account]
        if (!held || !chosen) throw nothingOpen()
        wipe(...held.keys.filter((key) => key !== chosen))
        held = { ...held, keys: [chosen] }
        return {}
      },
      forget() {
        forget()
        return {}
      },
      async seal({ vaultKey, operation }) {
        const given = held
        held = undefined
        given?.stopDeadline()
        // A timer may be late, as after a machine slept: the deadline holds without it.
        const key = given?.keys.length === 1 ? given.keys[0] : undefined
        if (!given || !key || given.diesAtMs <= clock.nowMs()) {
          wipe(...(given?.keys ?? []))
          throw nothingOpen()
        }
        return { key: await withSecret(key, (key) => sealImported(vaultKey, key, operation)) }
      },
    },
  })
}

const nothingOpen = () => new LatchkeyError('vault_operation_unknown', 'There is no key here to be imported')
