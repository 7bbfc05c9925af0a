/** What the server writes to people, and how it goes out. */
export { type LoginCodeMail, loginCodeMail } from './login-code.ts'
export { createSmtpMailer, type SmtpMailer } from './smtp.ts'
