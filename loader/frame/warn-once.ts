import { productName } from '@latchkey/protocol'

const written = new Set<string>()

/** Writes a warning to the console, once per page. */
export function warnOnce(sentence: string): void {
  if (written.has(sentence)) return
  written.add(sentence)
  console.warn(`${productName}: ${sentence}`)
}
