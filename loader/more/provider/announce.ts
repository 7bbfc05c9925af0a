/** https://eips.ethereum.org/EIPS/eip-6963 */
import { providerRdns } from '@latchkey/protocol'
import type { EthereumProvider } from '../../latchkey.ts'

/** A key, for an app whose icon is elsewhere. */
const defaultIcon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 96 96'%3E%3Crect width='96' height='96' rx='22' fill='%231f2937'/%3E%3Cg fill='none' stroke='%23fff' stroke-width='8' stroke-linecap='round'%3E%3Ccircle cx='35' cy='48' r='14'/%3E%3Cpath d='M49 48h27v12M64 48v9'/%3E%3C/g%3E%3C/svg%3E"

/** Returns what tells it anew; it is told for as long as there is somebody to ask. */
export function announce(
  provider: EthereumProvider,
  { name, icon = defaultIcon }: { readonly name: string; readonly icon?: string },
  isThere: () => boolean,
): () => void {
  const info = Object.freeze({ uuid: randomUuid(), name, icon, rdns: providerRdns })
  const detail = Object.freeze({ info, provider })
  const tell = () => {
    if (isThere()) dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail }))
  }
  addEventListener('eip6963:requestProvider', tell)
  tell()
  return tell
}

/** Version 4 of RFC 9562. `crypto.randomUUID` is missing on pages that are no secure context. */
function randomUuid(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = Array.from(bytes, (byte, position) => {
    if (position === 6) return (byte & 0x0f) | 0x40
    return position === 8 ? (byte & 0x3f) | 0x80 : byte
  })
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('')
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
