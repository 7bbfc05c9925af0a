/** What the server writes to people, and how it goes out. */
export { type Mail, mailer } from './mailer.ts'
export { type Notice, noticeText, sendNotice, type Telling } from './notice.ts'
export { oneLine } from './one-line.ts'
export { imagesOf, logoOf, mailPage } from './page.ts'
