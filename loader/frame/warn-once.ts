import { productName } from '@latchkey/protocol'

const written = new Set<string>()

/** Writes a sentence to the developer's console, once a page. */
export function warnOnce(sentence: string): void {
  if (written.has(sentence)) return
  written.add(sentence)
  console.warn(`${productName}: ${sentence}`)
}
