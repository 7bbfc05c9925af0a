/**
 * The vault of the import page, which takes a private key or a seed phrase with ten accounts. It reports addresses, and
 * seals a key to the wallet's vault only after the user agreed to its address. The key is wiped when it is sealed, at its
 * deadline, or with the page. Neither this worker nor its page has network access.
 */
import { isSameAddress, LatchkeyError, walletLimits } from '@latchkey/protocol'
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

type HeldKeys = {
  /** The ten accounts of a seed phrase, or one key. */
  keys: readonly SecretBytes[]
  /** The key that the user agreed to by its address. Another key needs another agreement. */
  agreedKey?: SecretBytes
  diesAtMs: number
  stopDeadline: () => void
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
  function holdKey(text: Uint8Array): { address: EvmAddress } | { problem: KeyProblem } {
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
  ): Promise<{ addresses: EvmAddress[] } | PhraseProblem> {
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
      agree({ address }) {
        const key = held?.keys.find((one) => isSameAddress(addressOf(one), address))
        if (!held || !key) throw nothingOpen()
        wipe(...held.keys.filter((one) => one !== key))
        held = { ...held, keys: [key], agreedKey: key }
        return {}
      },
      forget() {
        forget()
        return {}
      },
      async seal({ vaultKey, operation }) {
        const current = held
        const key = current?.agreedKey
        // A timer may be late, for example after the machine slept.
        if (!current || !key || current.diesAtMs <= clock.nowMs()) {
          forget()
          throw nothingOpen()
        }
        held = undefined
        current.stopDeadline()
        return { key: await withSecret(key, (bytes) => sealImported(vaultKey, bytes, operation)) }
      },
    },
  })
}

const nothingOpen = () => new LatchkeyError('vault_operation_unknown', 'There is no key here to be imported')
