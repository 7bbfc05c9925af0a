/**
 * A message as it may be shown for signing: what can not be seen is named.
 *
 * The string that is signed is not touched. Control characters, marks that turn the direction of writing, spaces
 * that look like others and characters without a shape come as chips; a line break, a tab and a space stay.
 */
export type MessagePart = { kind: 'text'; text: string } | { kind: 'invisible'; name: string }

/** A joiner between two pictures, and a picture's own variant, belong to what is seen. */
const partOfPicture = String.raw`(?<=\p{Extended_Pictographic}\uFE0F?[\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)`
/**
 * Letters, signs and marks by their class, and nothing to the eye: the Braille pattern without a dot, the filler of
 * Khitan script, blanks of Egyptian hieroglyphs, and the note without a head. No property lists them.
 */
const blanks = String.raw`\u2800\u{16FE4}\u{13441}\u{13442}\u{1D159}`
/** No writing puts more marks on one letter than three; more of them grow over the lines above and below. */
const stackedMark = String.raw`(?<=\p{M}{3})\p{M}`
const invisible = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}${blanks}]|${stackedMark}`
const pieces = new RegExp(String.raw`([ \n\t]|${partOfPicture})|(${invisible})`, 'gu')

const DELETE = 0x7f
const CONTROL_PICTURES = 0x2400
const DELETE_PICTURE = '\u2421'

function nameOf(character: string): string {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x20) return String.fromCodePoint(CONTROL_PICTURES + code)
  if (code === DELETE) return DELETE_PICTURE
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
}

export function toMessageParts(message: string): readonly MessagePart[] {
  const parts: MessagePart[] = []
  let from = 0
  const addText = (to: number) => {
    if (to > from) parts.push({ kind: 'text', text: message.slice(from, to) })
  }
  for (const match of message.matchAll(pieces)) {
    const hidden = match[2]
    if (hidden === undefined) continue
    addText(match.index)
    parts.push({ kind: 'invisible', name: nameOf(hidden) })
    from = match.index + hidden.length
  }
  addText(message.length)
  return parts
}
