/**
 * The vault of the export window, the one place from which a key goes to its user. It has a key pair of its own, to which
 * the server seals one release and the vault of the wallet frame the share of the device; both are taken once, and kept
 * sealed until their deadline or the end of the page. The secret is combined each time that the user asks to see it, lives
 * as long as that takes, and leaves only in the form that was asked for. It stores nothing, and neither this thread nor the
 * page that it answers has a network.
 */
import { LatchkeyError, walletLimits } from '@latchkey/protocol'
import type { Clock } from '../../clock.ts'
import type { DeviceWallet } from '../device/store.ts'
import { derivationOf } from '../keys/derivation.ts'
import { mnemonicBytes } from '../keys/entropy.ts'
import { type SecretBytes, withSecret } from '../keys/secret-bytes.ts'
import { openAs, withCombined, withShare } from '../opening.ts'
import { type Served, serveRequests } from '../serve.ts'
import { makeVaultKey, type VaultKey } from '../shares/sealing.ts'
import type { ExportOutputs, SecretForm } from './contract.ts'
import { type ExportInputs, exportInputs } from './requests.ts'

type UseSecret = <T>(use: (secret: SecretBytes) => T | Promise<T>) => Promise<T>
type Opened = { wallet: DeviceWallet; withSecret: UseSecret; forget: () => void }

export function createExportVault({ clock }: { clock: Clock }): Served {
  let key: VaultKey | undefined
  let opened: Opened | undefined
  let openUntilMs = 0

  function holdOpened(wallet: DeviceWallet, withSecret: UseSecret) {
    opened?.forget()
    const stopDeadline = clock.after(walletLimits.operationMs, () => mine.forget())
    const mine: Opened = {
      wallet,
      withSecret,
      forget() {
        stopDeadline()
        if (opened === mine) opened = undefined
      },
    }
    opened = mine
    openUntilMs = clock.nowMs() + walletLimits.operationMs
  }

  return serveRequests<ExportInputs, ExportOutputs>({
    inputs: exportInputs,
    openForMs: () => Math.max(0, openUntilMs - clock.nowMs()),
    handlers: {
      async begin() {
        opened?.forget()
        key = await makeVaultKey()
        // The user may take their time to come to the release.
        openUntilMs = clock.nowMs() + walletLimits.operationMs
        return { publicKey: key.publicKey }
      },
      async open({ wallet, operation, auth, device }) {
        const used = key
        key = undefined
        if (!used) throw nothingOpen()
        const open = (role: 'auth' | 'device') =>
          openAs(role, role === 'auth' ? auth : device, wallet, (sealed, context) =>
            used.open(sealed, context, { operation, purpose: 'export', digest: null }),
          )
        // What can not be opened is refused now, and not when the user presses.
        await withShare(open('device'), () => withShare(open('auth'), () => {}))
        holdOpened(wallet, (use) => withCombined(wallet, open('device'), () => open('auth'), use))
        return { forms: formsOf(wallet) }
      },
      async show({ form }) {
        // A timer may be late, as after a machine slept: the deadline holds without it.
        if (!opened || openUntilMs <= clock.nowMs()) {
          opened?.forget()
          throw nothingOpen()
        }
        const { wallet, withSecret } = opened
        if (!formsOf(wallet).includes(form)) throw nothingOpen()
        const text = await withSecret((secret) =>
          form === 'phrase' ? mnemonicBytes(secret) : keyText(wallet, secret),
        )
        return { text }
      },
    },
  })
}

const formsOf = ({ kind }: DeviceWallet): SecretForm[] => (kind === 'entropy' ? ['key', 'phrase'] : ['key'])

const keyText = (wallet: DeviceWallet, secret: SecretBytes): Promise<SecretBytes> =>
  withSecret(derivationOf(wallet).privateKey(secret), hexText)

const HEX = new TextEncoder().encode('0123456789abcdef')

/** `0x` and two digits a byte, never as a string. */
function hexText(bytes: Uint8Array): SecretBytes {
  const text = new Uint8Array(2 + 2 * bytes.length)
  text.set([0x30, 0x78])
  bytes.forEach((byte, at) => {
    text.set([HEX[byte >> 4] ?? 0, HEX[byte & 15] ?? 0], 2 + 2 * at)
  })
  return text
}

const nothingOpen = () =>
  new LatchkeyError('vault_operation_unknown', 'There is nothing that could be shown any more')
