/**
 * The vault of the export window, the only place that shows a key to its user. The server seals one release
 * to its key pair, and the wallet frame's vault seals the device share to it. Both are accepted once, and
 * stay sealed until their deadline or the end of the page. The secret is combined for each `show`, lives only
 * during that call, and leaves only in the requested form. The vault stores nothing. Neither this worker nor
 * its page has network access.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { Clock } from '../../clock.ts'
import type { DeviceWallet } from '../device/store.ts'
import { getDerivation } from '../keys/derivation.ts'
import { mnemonicBytes } from '../keys/entropy.ts'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'
import { openShare, withCombined, withShare } from '../opening.ts'
import { serveRequests, type VaultServer } from '../serve.ts'
import { generateVaultKey, type VaultKey } from '../shares/sealing.ts'
import type { ExportOutputs, SecretForm } from './contract.ts'
import { type ExportInputs, exportInputs } from './requests.ts'

type UseSecret = <T>(use: (secret: SecretBytes) => T | Promise<T>) => Promise<T>
type OpenWallet = { wallet: DeviceWallet; withSecret: UseSecret; forget: () => void }

export function createExportVault({ clock }: { clock: Clock }): VaultServer {
  let key: VaultKey | undefined
  let openWallet: OpenWallet | undefined
  let openUntilMs = 0

  function setOpenWallet(wallet: DeviceWallet, withSecret: UseSecret) {
    openWallet?.forget()
    const stopDeadline = clock.after(walletLimits.operationMs, () => current.forget())
    const current: OpenWallet = {
      wallet,
      withSecret,
      forget() {
        stopDeadline()
        if (openWallet === current) openWallet = undefined
      },
    }
    openWallet = current
    openUntilMs = clock.nowMs() + walletLimits.operationMs
  }

  return serveRequests<ExportInputs, ExportOutputs>({
    inputs: exportInputs,
    openForMs: () => Math.max(0, openUntilMs - clock.nowMs()),
    handlers: {
      async begin() {
        openWallet?.forget()
        key = await generateVaultKey()
        // The release may take a while, because the user approves it first.
        openUntilMs = clock.nowMs() + walletLimits.operationMs
        return { publicKey: key.publicKey }
      },
      async open({ wallet, operation, auth, device }) {
        const usedKey = key
        key = undefined
        if (!usedKey) throw notOpen()
        const open = (role: 'auth' | 'device') =>
          openShare(role, role === 'auth' ? auth : device, wallet, (sealed, context) =>
            usedKey.open(sealed, context, { operation, purpose: 'export', digest: null }),
          )
        // Fails now, not when the user presses, if a share does not open.
        await withShare(open('device'), () => withShare(open('auth'), () => {}))
        setOpenWallet(wallet, (use) => withCombined(wallet, open('device'), () => open('auth'), use))
        return { forms: getForms(wallet) }
      },
      async show({ form }) {
        // A timer may be late, for example after the machine slept, so the deadline is checked here too.
        if (!openWallet || openUntilMs <= clock.nowMs()) {
          openWallet?.forget()
          throw notOpen()
        }
        const { wallet, withSecret } = openWallet
        if (!getForms(wallet).includes(form)) throw notOpen()
        const text = await withSecret((secret) =>
          form === 'phrase' ? mnemonicBytes(secret) : getKeyText(wallet, secret),
        )
        return { text }
      },
    },
  })
}

const getForms = ({ kind }: DeviceWallet): SecretForm[] => (kind === 'entropy' ? ['key', 'phrase'] : ['key'])

const getKeyText = (wallet: DeviceWallet, secret: SecretBytes): Promise<SecretBytes> =>
  withSecret(getDerivation(wallet).deriveKey(secret), toHexBytes)

const HEX = new TextEncoder().encode('0123456789abcdef')

/** Returns `0x` and two hex digits per byte, without ever creating a string. */
function toHexBytes(bytes: Uint8Array): SecretBytes {
  const text = new Uint8Array(2 + 2 * bytes.length)
  text.set([0x30, 0x78])
  bytes.forEach((byte, at) => {
    text.set([HEX[byte >> 4] ?? 0, HEX[byte & 15] ?? 0], 2 + 2 * at)
  })
  return text
}

const notOpen = () =>
  new LatchkeyError('vault_operation_unknown', 'The export has ended; there is no key to show')
