/**
 * Approval texts, which describe a request to the user. A wrong translation of one can make a user approve something
 * else, so a language shows them in English until a native speaker has signed off its translations.
 */
import { createHash } from 'node:crypto'
import { approvalKeys, reviews } from './approval-texts.ts'
import type { Language } from './languages.ts'
import { isMessage, type Messages } from './read-messages.ts'

export const isApprovalKey = (key: string) =>
  approvalKeys.some((approvalKey) => key === approvalKey || key.startsWith(`${approvalKey}.`))

const isShown = (language: Language) =>
  (reviews[language]?.state ?? 'awaiting review by a native speaker') !==
  'awaiting review by a native speaker'

/**
 * Returns a translation with English in place of the approval texts that are not signed off. Returns the English
 * messages themselves if no other texts remain.
 */
export function withoutUnreviewed(
  language: Language,
  path: string,
  english: Messages,
  translation: Messages,
): Messages {
  if (isShown(language)) return translation
  if (isApprovalKey(path)) return english
  const names = new Set([...Object.keys(english), ...Object.keys(translation)])
  const parts = [...names].flatMap((name) => {
    const [key, ours, theirs] = [`${path}.${name}`, english[name], translation[name]]
    if (ours && isApprovalKey(key)) return [[name, ours] as const]
    if (ours && !isMessage(ours) && !(theirs && isMessage(theirs))) {
      return [[name, withoutUnreviewed(language, key, ours, theirs ?? {})] as const]
    }
    return theirs ? [[name, theirs] as const] : []
  })
  return Object.fromEntries(parts)
}

/** Returns the hash of a language's approval texts. Any change of one changes it. */
export function hashApprovalTexts(catalogues: ReadonlyMap<string, Messages>): string {
  const texts = [...catalogues].flatMap(([name, messages]) => listTexts(messages, name))
  const approvalTexts = texts
    .filter(([key]) => isApprovalKey(key))
    .sort(([one], [other]) => (one < other ? -1 : 1))
  return createHash('sha256').update(JSON.stringify(approvalTexts)).digest('hex')
}

export const listTexts = (messages: Messages, path: string): [key: string, text: string][] =>
  Object.entries(messages).flatMap(([name, value]) =>
    isMessage(value) ? [[`${path}.${name}`, value.text] as const] : listTexts(value, `${path}.${name}`),
  )
