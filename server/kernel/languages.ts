/** The languages in which people read what the server writes, in windows and in mails: those of the dialog. */
export const directions = { en: 'ltr', ar: 'rtl' } as const
export type Language = keyof typeof directions
export type InLanguages<Texts> = { readonly [language in Language]: Texts }

export const isLanguage = (tag: string): tag is Language => Object.hasOwn(directions, tag)

/**
 * By `Accept-Language`, the first one first. For a page browsers say in it what their person reads, and for a call the
 * dialog what it speaks.
 */
export function languageOf(accepted: string | undefined): Language {
  const tags = (accepted ?? '').split(',').map((each) => each.trim().split(/[-;]/)[0]?.toLowerCase() ?? '')
  return tags.find(isLanguage) ?? 'en'
}
