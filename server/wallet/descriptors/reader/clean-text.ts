import { invalid } from '../refusal.ts'

/**
 * Returns a text of a descriptor as one visible line: without control, format (bidi, joiners), private and unassigned
 * characters, and in compatibility form. Throws if nothing is left, or too much.
 */
export function cleanText(text: string, maxLength: number, path: string): string {
  const clean = text
    .normalize('NFKC')
    .replace(/[\p{Zs}\p{Zl}\p{Zp}\t\n\r]+/gu, ' ')
    .replace(/\p{C}/gu, '')
    .trim()
  if (clean === '') throw invalid(path, 'is empty')
  if (clean.length > maxLength) throw invalid(path, `is longer than ${maxLength} characters`)
  return clean
}
