import { isCrossAppProvider, type LoginMethod } from '@latchkey/protocol'
import type { Texts as LinkingTexts } from './texts.arb'

/** What a title calls an account of this method. */
export const nameOfAccount = (
  { names, ofApp }: Pick<LinkingTexts, 'names' | 'ofApp'>,
  method: LoginMethod,
  provider: string | undefined,
): string => (isCrossAppProvider(method) ? ofApp({ app: provider ?? '' }) : names[method])
