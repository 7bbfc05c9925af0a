/** What typed data means, in the words that mails and the pages of the wallet have too. */
import { type TypedDataWords, typedDataArabic, typedDataEnglish } from '@latchkey/protocol/reading'
import { catalogue } from '../../../i18n/catalogue.ts'

export const texts = catalogue<TypedDataWords>(typedDataEnglish, { ar: async () => typedDataArabic })
