import { descriptorOf, type LoginMethod } from '@latchkey/protocol'
import type { Texts as LinkingTexts } from './texts.arb'

type Words = Pick<LinkingTexts, 'names' | 'ofApp'>

/** Titles call an account of this method so. The name of a provider is the same in every language. */
export function nameOfAccount({ names, ofApp }: Words, method: LoginMethod, provider = ''): string {
  const words: Readonly<Record<string, string>> = names
  return words[method] ?? ofApp({ app: descriptorOf(method).title ?? provider })
}
