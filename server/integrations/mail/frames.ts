/**
 * Mails with a code differ in the code, the receiver, the time and an id alone. Encoding one costs more than sending
 * it, so the rest is encoded once, with stand-ins in these places.
 *
 * Whether a code stands in the encoded mail as it stands in the text depends on where lines break and on how a subject
 * is encoded. So a frame is made twice, with two codes: where putting in the second does not give the very same bytes
 * as encoding with it, there is no frame, and each mail of the kind is encoded by itself.
 */
import { createHash, randomInt, randomUUID } from 'node:crypto'
import type { Mail } from './mailer.ts'

export type Encode = (
  mail: Mail & { readonly messageId: string; readonly date: Date; readonly baseBoundary: string },
) => Promise<{ readonly encoded: string; readonly sender: string }>

/** What goes out, as it is. */
export type Framed = {
  readonly encoded: string
  readonly sender: string
  readonly to: string
  readonly messageId: string
}
type Fill = (to: string, code: string) => Framed

/** A mailbox that every mail server takes and that needs no encoding in a header. */
const plainAddress = /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9.-]+$/
const standIn = { to: 'frame@frame.invalid', messageId: '<frame@frame.invalid>', date: new Date(0) }

export function createFrames(encode: Encode, size: number) {
  const frames = new Map<string, Promise<Fill | undefined>>()

  function fillFor(mail: Mail, code: string): Promise<Fill | undefined> {
    const kind = kindOf(mail, code)
    const known = frames.get(kind)
    if (known) return known
    const made = makeFill(encode, mail, code)
    if (frames.size >= size) frames.clear()
    frames.set(kind, made)
    made.catch(() => frames.delete(kind))
    return made
  }

  return async (mail: Mail): Promise<Framed | undefined> => {
    const { code, to } = mail
    if (code === undefined || !plainAddress.test(to)) return undefined
    return (await fillFor(mail, code))?.(to, code)
  }
}

function kindOf({ subject, text, html, images }: Mail, code: string): string {
  const hash = createHash('sha256')
  hash.update(JSON.stringify([subject, text, html].map((part) => part.replaceAll(code, '\n\n'))))
  for (const { cid, contentType, bytes } of images)
    hash.update(JSON.stringify([cid, contentType])).update(bytes)
  return hash.digest('base64')
}

async function makeFill(encode: Encode, mail: Mail, code: string): Promise<Fill | undefined> {
  const [first, second] = [otherDigits(mail, code), otherDigits(mail, code)]
  const baseBoundary = randomUUID()
  const encodeWith = (digits: string) =>
    encode({
      ...mail,
      ...standIn,
      baseBoundary,
      subject: mail.subject.replaceAll(code, digits),
      text: mail.text.replaceAll(code, digits),
      html: mail.html.replaceAll(code, digits),
    })
  const { encoded: frame, sender } = await encodeWith(first)
  if (frame.includes('\0') || frame.replaceAll(first, second) !== (await encodeWith(second)).encoded)
    return undefined
  const domain = sender.slice(sender.lastIndexOf('@') + 1)
  const fill = cutAtPlaces(frame, first)
  return (to, own) => {
    const messageId = `<${randomUUID()}@${domain}>`
    const date = new Date().toUTCString().replace('GMT', '+0000')
    return { sender, to, messageId, encoded: fill({ to, messageId, date, code: own }) }
  }
}

const places = ['to', 'messageId', 'date', 'code'] as const
type Values = Readonly<Record<(typeof places)[number], string>>

const headerPlaces = [
  [/^To: .*$/m, 'To: \0to\0'],
  [/^Message-ID: .*$/m, 'Message-ID: \0messageId\0'],
  [/^Date: .*$/m, 'Date: \0date\0'],
] as const

/** Cut once at what differs, so that a mail is put together from whole pieces. */
function cutAtPlaces(frame: string, code: string): (values: Values) => string {
  const end = frame.indexOf('\r\n\r\n')
  const head = headerPlaces.reduce((text, [line, marked]) => text.replace(line, marked), frame.slice(0, end))
  const cut = (head + frame.slice(end)).replaceAll(code, '\0code\0').split('\0')
  const pieces = cut.map((text, at) => {
    const place = at % 2 === 0 ? undefined : places.find((name) => name === text)
    return (values: Values) => (place === undefined ? text : values[place])
  })
  return (values) => pieces.map((piece) => piece(values)).join('')
}

/** As many as the code has, which stand nowhere in the mail. */
function otherDigits({ subject, text, html }: Mail, code: string): string {
  for (;;) {
    const digits = Array.from(code, () => String(randomInt(10))).join('')
    if (![subject, text, html].some((part) => part.includes(digits))) return digits
  }
}
