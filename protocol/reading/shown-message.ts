/**
 * Splits a message for display, so that invisible characters are named.
 *
 * The signed string is unchanged. Control characters, direction marks, unusual spaces and shapeless characters become
 * chips. Line breaks, tabs and spaces stay.
 */
export type MessagePart = { kind: 'text'; text: string } | { kind: 'invisible'; name: string }

/** Joiners between emoji, and variation selectors of emoji, are part of the visible picture. */
const partOfPicture = String.raw`(?<=\p{Extended_Pictographic}\uFE0F?[\u{1F3FB}-\u{1F3FF}]?)\u200D(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\uFE0F|\uFE0F(?=\u20E3)`
/**
 * Characters that render blank although their category is letter, sign or mark: the empty Braille pattern, the Khitan
 * filler, Egyptian hieroglyph blanks and the null notehead. No Unicode property lists them.
 */
const blanks = String.raw`\u2800\u{16FE4}\u{13441}\u{13442}\u{1D159}`
/** No script stacks more than three marks on a letter. More would cover adjacent lines. */
const stackedMark = String.raw`(?<=\p{M}{3})\p{M}`
const invisible = String.raw`[\p{C}\p{Z}\p{Default_Ignorable_Code_Point}${blanks}]|${stackedMark}`
const pieces = new RegExp(String.raw`([ \n\t]|${partOfPicture})|(${invisible})`, 'gu')

const DELETE = 0x7f
const CONTROL_PICTURES = 0x2400
const DELETE_PICTURE = '\u2421'

function nameCharacter(character: string): string {
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
    parts.push({ kind: 'invisible', name: nameCharacter(hidden) })
    from = match.index + hidden.length
  }
  addText(message.length)
  return parts
}
