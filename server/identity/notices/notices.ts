/** Notices about account changes, sent to contacts or shown at the next login. */
export { findVisibleNotices, takeNotice } from './at-login.ts'
export { createSettledCheck, findContacts, smsFactor } from './contacts.ts'
export { noticeLimits } from './limits.ts'
export { type NoticeCall, notifyContacts, notifyUser, storeNoticeFor } from './notify.ts'
export type { NoticeRow } from './tables.ts'
