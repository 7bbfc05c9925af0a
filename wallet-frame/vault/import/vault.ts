/**
 * The vault of the import page, which reads a private key or a seed phrase with ten accounts. It returns
 * addresses, and seals a key to the wallet frame's vault only after the user has accepted its address. The
 * key is wiped when it is sealed, at its deadline, or when the page ends. Neither this worker nor its page
 * has network access.
 */
import { isSameAddress, LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { Clock } from '../../clock.ts'
import type { EvmAddress } from '../keys/checksum.ts'
import { privateKeyToAddress } from '../keys/evm-address.ts'
import { type SecretBytes, wipe, withSecret } from '../keys/secret-bytes.ts'
import { serveRequests, type VaultServer } from '../serve.ts'
import { generateVaultKey, sealImported, type VaultKey } from '../shares/sealing.ts'
import type { ImportOutputs, KeyProblem, PhraseProblem } from './contract.ts'
import { parseKeyText } from './key-text.ts'
import { type ImportInputs, importInputs } from './requests.ts'
import { deriveAccountKeys, isSeedPhrase, parsePhrase } from './seed-phrase.ts'

type HeldKeys = {
  /** The ten accounts of a seed phrase, or one key. */
  keys: readonly SecretBytes[]
  /** The accepted key. The user saw its address. Any other key needs its own acceptance. */
  agreedKey?: SecretBytes
  expiresAtMs: number
  stopDeadline: () => void
}

export function createImportVault(clock: Clock): VaultServer {
  let pair: VaultKey | undefined
  let heldKeys: HeldKeys | undefined
  let openUntilMs = 0

  function forget() {
    heldKeys?.stopDeadline()
    wipe(...(heldKeys?.keys ?? []))
    heldKeys = undefined
  }

  function hold(keys: readonly SecretBytes[]) {
    const expiresAtMs = clock.nowMs() + walletLimits.operationMs
    heldKeys = { keys, expiresAtMs, stopDeadline: clock.after(walletLimits.operationMs, forget) }
    openUntilMs = expiresAtMs
  }

  /** Reads a private key. Wipes the text, valid or not. */
  function holdKey(text: Uint8Array): { address: EvmAddress } | { problem: KeyProblem } {
    forget()
    try {
      const read = parseKeyText(text)
      if ('problem' in read) return read
      hold([read.key])
      return { address: privateKeyToAddress(read.key) }
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
    const read = parsePhrase(text)
    wipe(text, passphrase)
    if ('problem' in read) return read
    const keys = await withSecret(read.sentence, (sentence) => deriveAccountKeys(sentence, salt))
    // Another request may have set a key meanwhile.
    forget()
    hold(keys)
    return { addresses: keys.map(privateKeyToAddress) }
  }

  return serveRequests<ImportInputs, ImportOutputs>({
    inputs: importInputs,
    openForMs: () => Math.max(0, openUntilMs - clock.nowMs()),
    handlers: {
      async begin() {
        forget()
        pair = await generateVaultKey()
        // The user may need time to find the key.
        openUntilMs = clock.nowMs() + walletLimits.operationMs
        return { publicKey: pair.publicKey }
      },
      take: ({ text, passphrase = new Uint8Array() }) =>
        isSeedPhrase(text) ? holdPhrase(text, passphrase) : holdKey(text),
      async takeSealed({ privateKey }) {
        const usedPair = pair
        pair = undefined
        if (!usedPair) throw noKey()
        return withSecret(usedPair.openKeyText(privateKey), (text) =>
          isSeedPhrase(text) ? { problem: 'seed_phrase' as const } : holdKey(text),
        )
      },
      agree({ address }) {
        const key = heldKeys?.keys.find((one) => isSameAddress(privateKeyToAddress(one), address))
        if (!heldKeys || !key) throw noKey()
        wipe(...heldKeys.keys.filter((one) => one !== key))
        heldKeys = { ...heldKeys, keys: [key], agreedKey: key }
        return {}
      },
      forget() {
        forget()
        return {}
      },
      async seal({ vaultKey, operation }) {
        const current = heldKeys
        const key = current?.agreedKey
        // A timer may be late, for example after the machine slept, so the deadline is checked here too.
        if (!current || !key || current.expiresAtMs <= clock.nowMs()) {
          forget()
          throw noKey()
        }
        heldKeys = undefined
        current.stopDeadline()
        return { key: await withSecret(key, (bytes) => sealImported(vaultKey, bytes, operation)) }
      },
    },
  })
}

const noKey = () => new LatchkeyError('vault_operation_unknown', 'There is no key here to be imported')
