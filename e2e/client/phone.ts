/** Phone linking for a user without a browser. */
import { randomUUID } from 'node:crypto'
import { call, type LoggedIn, type Place } from './user.ts'

/** Requests a code for this user and submits it. */
export async function linkPhone(
  place: Place,
  { token, browser }: LoggedIn,
  phoneNumber: string,
  nextCode: () => Promise<string>,
) {
  const binding = randomUUID()
  await call(place, 'dialog', '/passwordless_sms/init', { phoneNumber }, { binding, browser, proves: false })
  const code = await nextCode()
  return call(place, 'dialog', '/passwordless_sms/link', { phoneNumber, code }, { token, binding, browser })
}

export const unlinkPhone = (place: Place, { token, browser }: LoggedIn, phoneNumber: string) =>
  call(place, 'dialog', '/passwordless_sms/unlink', { phoneNumber }, { token, browser })
