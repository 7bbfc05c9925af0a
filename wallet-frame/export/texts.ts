/** The texts of the export window, by language. */
import type { Language } from '@latchkey/protocol/texts'
import { texts as parts } from '../pages/texts.arb'
import { texts as own } from './texts.arb'

export const pageTexts = {
  own,
  parts: [parts],
  in: (language: Language) => ({ ...own.in(language), gate: parts.in(language).gate }),
}
export type ExportTexts = ReturnType<typeof pageTexts.in>
