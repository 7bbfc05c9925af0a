/** The mail with a login code: its purpose, its lifetime, and advice in case the user did not request it. */
import { emailLimits } from '@latchkey/protocol'
import { readTexts } from '@latchkey/protocol/texts/at-start'
import { html } from 'hono/html'
import { attachedImages, type Mail, mailPage, oneLine, parseLogo } from '../../integrations/mail/mail.ts'
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
}

export function loginCodeMail({ to, code, language, app, dialogOrigin }: LoginCodeMail): Mail {
  const name = oneLine(app.name)
  const says = texts(language)
  const subject = says.subject({ code, name })
  const validity = says.validity({ minutes: emailLimits.codeSeconds / 60 })
  const ifNotYou = says.ifNotYou({ name })
  // Mail apps with autofill fill the code only on this host: https://github.com/WICG/sms-one-time-codes
  const boundCode = `@${new URL(dialogOrigin).hostname} #${code}`
  const logo = parseLogo(app.logoUrl)
  return {
    to,
    subject,
    text: [says.before({ name }), code, validity, ifNotYou, boundCode].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      language,
      name,
      logo,
      heading: insertElement((place) => says.heading({ name: place }), html`<bdi>${name}</bdi>`),
      body: html`<p class="code" style="margin:0 0 24px;padding:20px 8px;border-radius:12px;background:#f0f0f3;color:#17171a;text-align:center;font-family:ui-monospace,'SF Mono',Menlo,Consolas,monospace;font-size:36px;line-height:44px;font-weight:600;letter-spacing:8px">${code}</p>
<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${validity}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>
<p class="quiet" style="margin:24px 0 0;font-size:12px;line-height:18px;color:#5f5f6b"><bdi dir="ltr">${boundCode}</bdi></p>`,
    }),
    images: attachedImages(logo),
  }
}
