/** How a user is told what happened to their account, and what they are told of at their next login. */
export { noticesAtLogin, takeNotice } from './at-login.ts'
export { contactsOf, settledContacts, smsFactor } from './contacts.ts'
export type { NoticeRow } from './tables.ts'
export { keepFor, type TellingCall, tellAt, tellUser } from './tell.ts'
