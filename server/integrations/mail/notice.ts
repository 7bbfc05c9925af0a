/** Notices about account changes: the event, its effect, and advice in case the user did not cause it. */
import { html } from 'hono/html'
import type { ServerContext } from '../../kernel/context.ts'
import { insertElement } from '../../kernel/http/pages/markup.ts'
import type { Language } from '../../kernel/languages.ts'
import { fillText, findTemplate } from '../templates/templates.ts'
import type { Mail } from './mailer.ts'
import { sendMail } from './message-hook.ts'
import { oneLine } from './one-line.ts'
import { attachedImages, closingHtml, mailPage, parseLogo } from './page.ts'

/** Formats a text with the app's name. */
type WithName = (values: { name: string }) => string
type NoticeTexts = {
  happened: WithName
  meaning: string
  ifNotYou: WithName
  /** The label of the mail's link, if it has one. */
  link?: string
}
export type Notice = (language: Language) => NoticeTexts

type NamedApp = { id: string; name: string; config: { logoUrl: string | null } }
/** The app and the language of a notice. The language is that of the call that caused it. */
export type NoticeContext = { app: NamedApp; language: Language }

/** Renders a notice. The operator's blocks follow our sentences, which no template changes. */
export function noticeMail(
  to: string,
  { app, language }: NoticeContext,
  notice: Notice,
  { url, closing = [] }: { url?: string | undefined; closing?: string[] | undefined } = {},
): Mail {
  const name = oneLine(app.name)
  const { meaning, happened, link: label, ...says } = notice(language)
  const subject = happened({ name })
  const ifNotYou = says.ifNotYou({ name })
  const logo = parseLogo(app.config.logoUrl)
  const link = url !== undefined && label !== undefined ? { url, label } : undefined
  return {
    to,
    subject,
    text: [
      `${subject}.`,
      meaning,
      ifNotYou,
      ...(link ? [`${link.label}:\n${link.url}`] : []),
      ...closing.map((block) => fillText(block, { app: name })),
    ]
      .join('\n\n')
      .concat('\n'),
    html: mailPage({
      title: subject,
      language,
      name,
      logo,
      heading: insertElement((place) => happened({ name: place }), html`<bdi>${name}</bdi>`),
      body: html`<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${meaning}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>${link ? linkHtml(link) : ''}${closingHtml(closing, name)}`,
    }),
    images: attachedImages(logo),
  }
}

const linkHtml = ({ url, label }: { url: string; label: string }) =>
  html`
<p style="margin:20px 0 0"><a class="link" href="${url}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:#17171a;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${label}</a></p>`

/** Formats the same notice as an SMS text. */
export function noticeText(
  { app, language }: NoticeContext,
  notice: Notice,
  url: string | undefined,
): string {
  const name = oneLine(app.name)
  const { meaning, happened, link, ifNotYou } = notice(language)
  const sentences = `${happened({ name })}. ${meaning} ${ifNotYou({ name })}`
  return url !== undefined && link !== undefined ? `${sentences}\n${link}: ${url}` : sentences
}

/** Sends a notice. Returns whether at least one mail was accepted. Failures are logged and do not undo the change. */
export async function sendNotice(
  server: ServerContext,
  addresses: readonly string[],
  context: NoticeContext,
  notice: Notice,
  link?: string,
): Promise<boolean> {
  let isAccepted = false
  for (const to of addresses) {
    try {
      const { app, language } = context
      const template = await findTemplate(server.db, app.id, 'notice', language)
      const mail = noticeMail(to, context, notice, { url: link, closing: template?.blocks })
      await sendMail(server, app.id, { kind: 'notice', language, mail })
      isAccepted = true
    } catch (error) {
      server.log.error(
        { err: error, notice: notice('en').happened({ name: context.app.name }) },
        'A mail about an account was not sent',
      )
    }
  }
  return isAccepted
}
