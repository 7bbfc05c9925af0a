/**
 * Pictures that a page names and the dialog may not ask for: its policy lets it draw those of the page's own origin,
 * those that the settings of the app name, and data. So they are fetched here, by the page that named them, and handed
 * over as data. An image is all that becomes of them, which runs nothing.
 */
import { isImageAddress, pictureLimits } from '@latchkey/protocol'
import type { CapabilityCall } from '../calls/row.ts'
import type { SettingsOfPage } from '../client/second-file.ts'
import { warnOnce } from '../frame/warn-once.ts'

const isElsewhere = (address: string) =>
  address.startsWith('https://') && URL.canParse(address) && new URL(address).origin !== location.origin

/** Each is asked for once a page; one that did not come is asked for again. */
const fetched = new Map<string, Promise<string | undefined>>()

/** The picture as data, or undefined where it can not be had, which the console says once. */
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
  if (!response.ok) throw new Error(`its server answered ${response.status}`)
  const [type = ''] = (response.headers.get('content-type') ?? '').toLowerCase().split(';')
  const start = `data:${type.trim()};base64,`
  if (!isImageAddress(start)) throw new Error(`it is ${type || 'of no type'}, and not PNG, JPEG, WebP or SVG`)
  return start + btoa(await lettersOf(response))
}

/** A letter a byte. What is longer than fits into a message is read no further. */
async function lettersOf({ body }: Response): Promise<string> {
  const reader = body?.getReader()
  let letters = ''
  for (let part = await reader?.read(); part?.value; part = await reader?.read()) {
    for (const byte of part.value) letters += String.fromCharCode(byte)
    if (letters.length > pictureLimits.maxBytes) {
      reader?.cancel().catch(() => {})
      throw new Error(`it has more than ${pictureLimits.maxBytes / 1000} kB`)
    }
  }
  return letters
}

/** The dialog asks for the logo that this page has set, and names none itself: it is told again once that has come. */
export async function fetchLogo({ configure, config }: SettingsOfPage): Promise<void> {
  const given = config()
  const { appearance } = given
  const address = appearance?.logo
  if (!address || !isElsewhere(address)) return
  const logo = await pictureAt(address)
  if (logo === undefined || config() !== given) return
  // What keeps the dialog from hearing it, the next call says.
  await configure({ ...given, appearance: { ...appearance, logo } }).catch(() => {})
}

/** What a call asks, with the picture that it names: it waits for one from elsewhere, and goes without it otherwise. */
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
