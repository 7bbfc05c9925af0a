import { productName } from '@latchkey/protocol'

const told = new Set<string>()

/** For the developer's console: each sentence once a page. */
export function warnOnce(sentence: string): void {
  if (told.has(sentence)) return
  told.add(sentence)
  console.warn(`${productName}: ${sentence}`)
}
