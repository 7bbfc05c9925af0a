/** A phone number of a user without a browser. */
import { randomUUID } from 'node:crypto'
import { type Browser, call, type LoggedIn, mailedCode, type Place } from './user.ts'

/** Asks for a code as this user's browser, and brings it back. */
export async function linkPhone(place: Place, { token, browser }: LoggedIn, phoneNumber: string) {
  const binding = randomUUID()
  await sendSmsCode(place, phoneNumber, binding, browser)
  const code = await mailedCode(place, phoneNumber.replace(' ', ''))
  return call(place, 'dialog', '/passwordless_sms/link', { phoneNumber, code }, { token, binding, browser })
}

export const unlinkPhone = (place: Place, { token, browser }: LoggedIn, phoneNumber: string) =>
  call(place, 'dialog', '/passwordless_sms/unlink', { phoneNumber }, { token, browser })

const sendSmsCode = (place: Place, phoneNumber: string, binding: string, browser: Browser) =>
  call(place, 'dialog', '/passwordless_sms/init', { phoneNumber }, { binding, browser, proves: false })
