/** Mails to users, and the mailer that sends them. */
export { type Mail, mailer } from './mailer.ts'
export { messageHook, type OutgoingMessage, sendMail } from './message-hook.ts'
export { type Notice, type NoticeContext, noticeText, sendNotice } from './notice.ts'
export { oneLine } from './one-line.ts'
export { attachedImages, mailPage, parseLogo } from './page.ts'
