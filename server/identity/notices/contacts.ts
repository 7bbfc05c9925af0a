/** Where a user can be told something: by mail at their addresses, by SMS at their numbers. */
import type { Reader } from '../../kernel/ports.ts'
import { type Contact, contactsOfAccounts, firstAccountId } from '../users/users.ts'

/** What comes after another is for whom that does not reach. */
export const waysToTell: readonly Contact['by'][] = ['mail', 'sms']

/** What a number came with that verifies its user, and logs nobody in. */
export const smsFactor = 'factor sms'

export async function contactsOf(reader: Reader, userId: string): Promise<readonly Contact[]> {
  const factor = await reader
    .selectFrom('mfa_methods')
    .select(['phone_number', 'enrolled_at', 'changed_at'])
    .where('user_id', '=', userId)
    .where('method', '=', 'sms')
    .where('status', '=', 'enrolled')
    .executeTakeFirst()
  const accounts = await contactsOfAccounts(reader, userId)
  if (!factor || factor.phone_number === null || factor.enrolled_at === null) return accounts
  const since = Math.max(factor.enrolled_at, factor.changed_at ?? 0)
  return [...accounts, { by: 'sms', to: factor.phone_number, source: smsFactor, since }]
}

/**
 * Whoever holds a session for a moment could add a contact of their own: one that the user did not begin with counts
 * only once it is as old as a method has to be.
 */
export async function settledContacts(
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
