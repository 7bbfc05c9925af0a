/**
 * Fetches images from other origins for the dialog, whose policy allows only the page's origin, the app's
 * configured URLs and `data:`. The page that names an image fetches it and passes it on as a data URL. It is
 * only ever used as an image, which runs no code.
 */
import { isImageAddress, pictureLimits } from '@latchkey/protocol'
import type { CapabilityCall } from '../calls/row.ts'
import type { SettingsOfPage } from '../client/second-file.ts'
import { warnOnce } from '../frame/warn-once.ts'

const isElsewhere = (address: string) =>
  address.startsWith('https://') && URL.canParse(address) && new URL(address).origin !== location.origin

/** Successful and pending fetches. A failed one is removed, so that it is retried. */
const fetched = new Map<string, Promise<string | undefined>>()

/** Returns the image as a data URL. Returns undefined if it cannot be fetched, with one console warning. */
export function pictureAt(address: string): Promise<string | undefined> {
  const known = fetched.get(address)
  if (known) return known
  const asked = fetchPicture(address).catch((reason) => {
    fetched.delete(address)
    warnOnce(
      `${address} is not shown: ${reason instanceof Error ? reason.message : reason}. Serve it from this site, or name it in the settings of the app.`,
    )
    return undefined
  })
  fetched.set(address, asked)
  return asked
}

async function fetchPicture(address: string): Promise<string> {
  const response = await fetch(address, {
    credentials: 'omit',
    referrerPolicy: 'no-referrer',
    signal: AbortSignal.timeout(pictureLimits.fetchDeadlineMs),
  })
  if (!response.ok) throw new Error(`its server responded with ${response.status}`)
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const start = `data:${type.trim()};base64,`
  if (!isImageAddress(start)) throw new Error(`its type is ${type || 'missing'}, not PNG, JPEG, WebP or SVG`)
  return start + btoa(await lettersOf(response))
}

/** Reads the body as a binary string. Stops at the size limit of a message. */
async function lettersOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  let letters = ''
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    for (const byte of part.value) letters += String.fromCharCode(byte)
    if (letters.length > pictureLimits.maxBytes) {
      reader?.cancel().catch(() => {})
      throw new Error(`it is larger than ${pictureLimits.maxBytes / 1000} kB`)
    }
  }
  return letters
}

/** Fetches the page's logo for the dialog and configures it again with the data URL. */
export async function fetchLogo({ configure, config }: SettingsOfPage): Promise<void> {
  const given = config()
  const { appearance } = given
  const address = appearance?.logo
  if (!address || !isElsewhere(address)) return
  const logo = await pictureAt(address)
  if (logo === undefined || config() !== given) return
  // The next call reports a failure.
  await configure({ ...given, appearance: { ...appearance, logo } }).catch(() => {})
}

/** Replaces a cross-origin icon of a call by its data URL, or omits it if it cannot be fetched. */
export function withPicture(asked: CapabilityCall): CapabilityCall | Promise<CapabilityCall> {
  const { data } = asked
  const { ui } = Object(data)
  const address: unknown = Object(ui).iconUrl
  if (typeof address !== 'string' || !isElsewhere(address)) return asked
  return pictureAt(address).then((iconUrl) => ({
    ...asked,
    data: { ...Object(data), ui: { ...ui, iconUrl } },
  }))
}
