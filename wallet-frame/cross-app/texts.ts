/** The texts of the cross-app page, by language. They include the texts of the confirmation page. */
import { languages as confirm } from '../confirm/texts.ts'
import { combine, type TextsIn } from '../pages/languages.ts'
import { languages as own } from './texts.arb'

export const languages = combine(own, confirm, (texts, signed) => ({
  ...texts,
  confirm: signed,
  gate: signed.gate,
}))
export type CrossAppTexts = TextsIn<typeof languages>
