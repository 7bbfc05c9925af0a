/** The mail with a login code: its purpose, its lifetime, and advice in case the user did not request it. */
import { emailLimits } from '@latchkey/protocol'
import type { MessageTemplate } from '@latchkey/protocol/admin'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { html } from 'hono/html'
import {
  attachedImages,
  blocksHtml,
  codeParagraph,
  type Mail,
  mailPage,
  oneLine,
  parseLogo,
} from '../../integrations/mail/mail.ts'
import { fillHtml, fillText } from '../../integrations/templates/templates.ts'
import { insertElement } from '../../kernel/http/pages/markup.ts'
import type { Language } from '../../kernel/languages.ts'
import type { Texts } from './texts.arb'

const texts = readTexts<Texts>(import.meta.dirname)

export type LoginCodeMail = {
  to: string
  code: string
  language: Language
  app: {
    name: string
    /** An https URL, or a data URL of an image. */
    logoUrl: string | null
  }
  /** The mail binds the code to a page of this host. */
  dialogOrigin: string
  /** The operator's words, instead of ours. */
  template?: MessageTemplate | undefined
}

/** Returns our words as a template. */
export function loginCodeTemplate(language: Language): MessageTemplate {
  const { subject, heading, before } = texts(language)
  const [code, name] = ['{{code}}', '{{app}}']
  return { subject: subject({ code, name }), heading: heading({ name }), blocks: [before({ name }), code] }
}

export function loginCodeMail({ to, code, language, app, dialogOrigin, template }: LoginCodeMail): Mail {
  const name = oneLine(app.name)
  const says = texts(language)
  const values = { app: name, code }
  const subject = template ? fillText(template.subject ?? '', values) : says.subject({ code, name })
  const blocks = template?.blocks.map((block) => fillText(block, values)) ?? [says.before({ name }), code]
  const validity = says.validity({ minutes: emailLimits.codeSeconds / 60 })
  const ifNotYou = says.ifNotYou({ name })
  // Mail apps with autofill fill the code only on this host: https://github.com/WICG/sms-one-time-codes
  const boundCode = `@${new URL(dialogOrigin).hostname} #${code}`
  const logo = parseLogo(app.logoUrl)
  return {
    to,
    subject,
    text: [...blocks, validity, ifNotYou, boundCode].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      language,
      name,
      logo,
      heading: template
        ? fillHtml(template.heading ?? '', values)
        : insertElement((place) => says.heading({ name: place }), html`<bdi>${name}</bdi>`),
      body: html`${template ? blocksHtml(template.blocks, values) : codeParagraph(code)}
<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${validity}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>
<p class="quiet" style="margin:24px 0 0;font-size:12px;line-height:18px;color:#5f5f6b"><bdi dir="ltr">${boundCode}</bdi></p>`,
    }),
    images: attachedImages(logo),
  }
}
