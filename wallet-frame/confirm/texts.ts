/** What the page of confirmations says, by language: in the words of the card that leads to it. */
import { languages as reading } from '@latchkey/protocol/reading/inlined-texts.arb'
import { combine, type TextsIn } from '../pages/languages.ts'
import { languages as parts } from '../pages/texts.arb'
import { languages as own } from './texts.arb'

const ofPage = combine(own, parts, (texts, { gate }, language) => ({ ...texts, gate, language }))

export const languages = combine(ofPage, reading, (texts, typedData) => ({ ...texts, typedData }))
export type ConfirmTexts = TextsIn<typeof languages>
