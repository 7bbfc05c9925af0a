/** Mails to users, and the mailer that sends them. */
export { type Mail, mailer } from './mailer.ts'
export { messageHook, type OutgoingMessage, sendMail } from './message-hook.ts'
export { type Notice, type NoticeContext, noticeMail, noticeText, sendNotice } from './notice.ts'
export { oneLine } from './one-line.ts'
export {
  attachedImages,
  blocksHtml,
  codeParagraph,
  mailPage,
  parseLogo,
  textParagraph,
  withBanner,
} from './page.ts'
