/**
 * Fetches images from other origins for the dialog, whose policy allows only the page's origin, the app's
 * configured URLs and `data:`. The page that names an image fetches it and passes it on as a data URL. It is
 * only ever used as an image, which runs no code.
 */
import { isImageAddress, pictureLimits } from '@latchkey/protocol'
import type { CapabilityCall } from '../calls/row.ts'
import type { PageSettings } from '../client/second-file.ts'
import { warnOnce } from '../frame/warn-once.ts'

const isCrossOrigin = (address: string) =>
  address.startsWith('https://') && URL.canParse(address) && new URL(address).origin !== location.origin

/** Successful and pending fetches. A failed one is removed, so that it is retried. */
const fetched = new Map<string, Promise<string | undefined>>()

/** Returns the image as a data URL. Returns undefined if it cannot be fetched, with one console warning. */
export function fetchAsDataUrl(address: string): Promise<string | undefined> {
  const pending = fetched.get(address)
  if (pending) return pending
  const picture = fetchPicture(address).catch((reason) => {
    fetched.delete(address)
    warnOnce(
      `${address} is not shown: ${reason instanceof Error ? reason.message : reason}. Serve it from this site, or name it in the settings of the app.`,
    )
    return undefined
  })
  fetched.set(address, picture)
  return picture
}

async function fetchPicture(address: string): Promise<string> {
  const response = await fetch(address, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(pictureLimits.fetchDeadlineMs),
  })
  if (!response.ok) throw new Error(`its server responded with ${response.status}`)
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const prefix = `data:${type.trim()};base64,`
  if (!isImageAddress(prefix)) throw new Error(`its type is ${type || 'missing'}, not PNG, JPEG, WebP or SVG`)
  return prefix + btoa(await readBinary(response))
}

/** Reads the body as a binary string. Stops at the size limit of a message. */
async function readBinary({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  let binary = ''
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    for (const byte of part.value) binary += String.fromCharCode(byte)
    if (binary.length > pictureLimits.maxBytes) {
      reader?.cancel().catch(() => {})
      throw new Error(`it is larger than ${pictureLimits.maxBytes / 1000} kB`)
    }
  }
  return binary
}

/** Fetches the page's logo for the dialog and configures it again with the data URL. */
export async function fetchLogo({ configure, config }: PageSettings): Promise<void> {
  const previousConfig = config()
  const { appearance } = previousConfig
  const address = appearance?.logo
  if (!address || !isCrossOrigin(address)) return
  const logo = await fetchAsDataUrl(address)
  if (logo === undefined || config() !== previousConfig) return
  // The next call reports a failure.
  await configure({ ...previousConfig, appearance: { ...appearance, logo } }).catch(() => {})
}

/** Replaces a cross-origin icon of a call by its data URL, or omits it if it cannot be fetched. */
export function withPicture(asked: CapabilityCall): CapabilityCall | Promise<CapabilityCall> {
  const { data } = asked
  const { ui } = Object(data)
  const address: unknown = Object(ui).iconUrl
  if (typeof address !== 'string' || !isCrossOrigin(address)) return asked
  return fetchAsDataUrl(address).then((iconUrl) => ({
    ...asked,
    data: { ...Object(data), ui: { ...ui, iconUrl } },
  }))
}
