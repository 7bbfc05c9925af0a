/** How a user is told what happened to their account, and what they are told of at their next login. */
export { contactsOf, settledContacts, smsFactor } from './contacts.ts'
export { forgetNotice, noticesOf } from './store.ts'
export type { NoticeRow } from './tables.ts'
export { keepFor, type TellingCall, tellAt, tellUser } from './tell.ts'
