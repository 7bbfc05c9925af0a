/**
 * Returns a name without line breaks, bidirectional controls and invisible characters. A line break would end a header,
 * and a control character could reorder the surrounding text.
 */
export const oneLine = (text: string): string =>
  text
    .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\p{Cf}/gu, '')
    .replace(/ {2,}/g, ' ')
    .trim()
