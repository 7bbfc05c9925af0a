/** The texts of the confirmation page, by language. They include the texts of the card that opens it. */
import { languages as reading } from '@latchkey/protocol/reading/inlined-texts.arb'
import { combine, type TextsIn } from '../pages/languages.ts'
import { languages as parts } from '../pages/texts.arb'
import { languages as own } from './texts.arb'

const pageTexts = combine(own, parts, (texts, { gate }, language) => ({ ...texts, gate, language }))

export const languages = combine(pageTexts, reading, (texts, typedData) => ({ ...texts, typedData }))
export type ConfirmTexts = TextsIn<typeof languages>
