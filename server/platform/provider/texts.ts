/** What the pages and mails about connected apps say. */
import { readTexts } from '@latchkey/protocol/texts/at-start'
import type { Texts } from './texts.arb'

export const texts = readTexts<Texts>(import.meta.dirname)
