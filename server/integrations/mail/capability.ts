import { type Capability, port } from '../../kernel/capability.ts'
import { mailEnvironment } from './environment.ts'
import { mailer } from './mailer.ts'
import { createSmtpMailer } from './smtp.ts'

export const mail: Capability = {
  name: 'mail',
  environment: mailEnvironment,
  ports: [
    port(mailer, ({ config }) => {
      const { SMTP_URL, MAIL_FROM } = mailEnvironment.of(config)
      const smtp = createSmtpMailer({ smtpUrl: SMTP_URL, mailFrom: MAIL_FROM })
      return { value: smtp, close: smtp.close }
    }),
  ],
}
