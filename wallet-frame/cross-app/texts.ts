/** The texts of the cross-app page, by language. They include the texts of the confirmation page. */
import type { Language } from '@latchkey/protocol/texts'
import { pageTexts as confirm } from '../confirm/texts.ts'
import { texts as own } from './texts.arb'

export const pageTexts = {
  own,
  parts: [confirm.own, ...confirm.parts],
  in(language: Language) {
    const signed = confirm.in(language)
    return { ...own.in(language), confirm: signed, gate: signed.gate }
  },
}
export type CrossAppTexts = ReturnType<typeof pageTexts.in>
