/** What the server writes to people, and how it goes out. */
export { type Html, html, nothing } from './html.ts'
export { type Mail, type Mailer, type MailImage, mailer } from './mailer.ts'
export { oneLine } from './one-line.ts'
