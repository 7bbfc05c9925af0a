/** The texts of the export window, by language. */
import { combine, type TextsIn } from '../pages/languages.ts'
import { languages as parts } from '../pages/texts.arb'
import { languages as own } from './texts.arb'

export const languages = combine(own, parts, (texts, { gate }) => ({ ...texts, gate }))
export type ExportTexts = TextsIn<typeof languages>
