import { product } from '@latchkey/protocol'
import * as v from 'valibot'
import { type Capability, port } from '../../kernel/capability.ts'
import { environmentPart } from '../../kernel/environment.ts'
import { mailer } from './mailer.ts'
import { createSmtpMailer, verifyConnection } from './smtp.ts'

const mailEnvironment = environmentPart(
  {
    SMTP_URL: v.optional(
      v.pipe(v.string(), v.regex(/^smtps?:\/\/.+/, 'must be smtp://… or smtps://…')),
      'smtp://127.0.0.1:4025',
    ),
    MAIL_FROM: v.optional(
      v.pipe(
        v.string(),
        v.regex(
          /^([^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/,
          'must be an address, or Name <address>',
        ),
      ),
      `${product.name} <login@${product.key}.localhost>`,
    ),
  },
  {
    SMTP_URL: {
      meaning: 'Your mail server: `smtps://user:password@host` or `smtp://user:password@host:587`.',
      isSecret: true,
    },
    MAIL_FROM: 'The sender of mails: an address, or `Name <address>`.',
  },
)

export const mail: Capability = {
  name: 'mail',
  environment: mailEnvironment,
  ports: [
    port(mailer, ({ config }) => {
      const { SMTP_URL, MAIL_FROM } = mailEnvironment.read(config)
      const smtp = createSmtpMailer({ smtpUrl: SMTP_URL, mailFrom: MAIL_FROM })
      return { value: smtp, close: smtp.close }
    }),
  ],
  thirdParties: (config) => {
    const { SMTP_URL } = mailEnvironment.read(config)
    return [
      {
        variable: 'SMTP_URL',
        url: SMTP_URL,
        check: () => verifyConnection({ smtpUrl: SMTP_URL }),
      },
    ]
  },
}
