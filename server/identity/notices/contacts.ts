/** The contacts of a user for notices: e-mail addresses and phone numbers. */
import type { Reader } from '../../kernel/ports.ts'
import { type Contact, findAccountContacts, firstAccountId } from '../users/users.ts'

/** Channels in order of preference. The next one is used if no contact of the previous one accepted the notice. */
export const noticeChannels: readonly Contact['by'][] = ['mail', 'sms']

/** The source of a phone number that is only a second factor. */
export const smsFactor = 'factor sms'

export async function findContacts(reader: Reader, userId: string): Promise<readonly Contact[]> {
  const factor = await reader
    .selectFrom('mfa_methods')
    .select(['phone_number', 'enrolled_at', 'changed_at'])
    .where('user_id', '=', userId)
    .where('method', '=', 'sms')
    .where('status', '=', 'enrolled')
    .executeTakeFirst()
  const accounts = await findAccountContacts(reader, userId)
  if (!factor || factor.phone_number === null || factor.enrolled_at === null) return accounts
  const since = Math.max(factor.enrolled_at, factor.changed_at ?? 0)
  return [...accounts, { by: 'sms', to: factor.phone_number, source: smsFactor, since }]
}

/**
 * Returns a predicate for settled contacts. A contact other than the sign-up account counts only after the app's
 * waiting period, because a session hijacker could add their own.
 */
export async function createSettledCheck(
  reader: Reader,
  {
    userId,
    newMethodHours,
    nowSeconds,
  }: {
    userId: string
    newMethodHours: number
    nowSeconds: number
  },
): Promise<(contact: Pick<Contact, 'source' | 'since'>) => boolean> {
  const first = await firstAccountId(reader, userId)
  return ({ source, since }) => source === first || since <= nowSeconds - newMethodHours * 3_600
}
