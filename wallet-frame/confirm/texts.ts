/** The texts of the confirmation page, by language. They include the texts of the card that opens it. */
import { texts as reading } from '@latchkey/protocol/reading/texts.arb'
import type { Language } from '@latchkey/protocol/texts'
import { texts as parts } from '../pages/texts.arb'
import { texts as own } from './texts.arb'

export const pageTexts = {
  own,
  parts: [parts, reading],
  in: (language: Language) => ({
    ...own.in(language),
    gate: parts.in(language).gate,
    language,
    typedData: reading.in(language),
  }),
}
export type ConfirmTexts = ReturnType<typeof pageTexts.in>
