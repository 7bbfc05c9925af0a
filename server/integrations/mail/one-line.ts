/**
 * A name on one line and in one direction. Line breaks would end a header; bidirectional controls and invisible
 * characters would let a name rearrange the words around it.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
