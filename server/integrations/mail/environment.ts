import { product } from '@latchkey/protocol'
import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

export const mailEnvironment = environmentPart({
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
})
