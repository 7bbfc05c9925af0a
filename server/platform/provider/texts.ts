/** The texts of the pages and mails about connected apps. */
import { readTexts } from '@latchkey/protocol/texts/at-start'
import type { Texts } from './texts.arb'

export const texts = readTexts<Texts>(import.meta.dirname)
