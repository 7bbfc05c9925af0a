/** What the page says, by language: what is signed in the words of the page of confirmations. */
import { languages as confirm } from '../confirm/texts.ts'
import { combine, type TextsIn } from '../pages/languages.ts'
import { languages as own } from './texts.arb'

export const languages = combine(own, confirm, (texts, signed) => ({
  ...texts,
  confirm: signed,
  gate: signed.gate,
}))
export type CrossAppTexts = TextsIn<typeof languages>
