/** A mail that says what happened to somebody's account: what it means, and what to do if it was not them. */
import { html } from 'hono/html'
import type { ServerContext } from '../../kernel/context.ts'
import { around } from '../../kernel/http/pages/markup.ts'
import type { Language } from '../../kernel/languages.ts'
import { type Mail, mailer } from './mailer.ts'
import { oneLine } from './one-line.ts'
import { imagesOf, logoOf, mailPage } from './page.ts'

/** The name is that of the app. */
type WithName = (values: { name: string }) => string
type NoticeTexts = {
  happened: WithName
  meaning: string
  ifNotYou: WithName
  /** What a link of the mail does, where it has one. */
  link?: string
}
export type Notice = (language: Language) => NoticeTexts

type NamedApp = { name: string; config: { logoUrl: string | null } }
/** A notice is for users of this app, in the language of the call that it comes of. */
export type Telling = { app: NamedApp; language: Language }

function noticeMail(to: string, { app, language }: Telling, notice: Notice, url: string | undefined): Mail {
  const name = oneLine(app.name)
  const { meaning, happened, link: label, ...says } = notice(language)
  const subject = happened({ name })
  const ifNotYou = says.ifNotYou({ name })
  const logo = logoOf(app.config.logoUrl)
  const link = url !== undefined && label !== undefined ? { url, label } : undefined
  return {
    to,
    subject,
    text: [`${subject}.`, meaning, ifNotYou, ...(link ? [`${link.label}:\n${link.url}`] : [])]
      .join('\n\n')
      .concat('\n'),
    html: mailPage({
      title: subject,
      language,
      name,
      logo,
      heading: around((place) => happened({ name: place }), html`<bdi>${name}</bdi>`),
      body: html`<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${meaning}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>${link ? linkHtml(link) : ''}`,
    }),
    images: imagesOf(logo),
  }
}

const linkHtml = ({ url, label }: { url: string; label: string }) =>
  html`
<p style="margin:20px 0 0"><a class="link" href="${url}" style="display:inline-block;padding:12px 20px;border-radius:12px;background:#17171a;color:#ffffff;font-size:15px;font-weight:600;text-decoration:none">${label}</a></p>`

/** The same in a text by SMS. */
export function noticeText({ app, language }: Telling, notice: Notice, url: string | undefined): string {
  const name = oneLine(app.name)
  const { meaning, happened, link, ifNotYou } = notice(language)
  const sentences = `${happened({ name })}. ${meaning} ${ifNotYou({ name })}`
  return url !== undefined && link !== undefined ? `${sentences}\n${link}: ${url}` : sentences
}

/** True once a mail was taken. What was done is not undone because of one; why none went out is in the log. */
export async function sendNotice(
  { ports, log }: Pick<ServerContext, 'ports' | 'log'>,
  addresses: readonly string[],
  telling: Telling,
  notice: Notice,
  link?: string,
): Promise<boolean> {
  let isTaken = false
  for (const to of addresses) {
    try {
      await mailer.on(ports).send(noticeMail(to, telling, notice, link))
      isTaken = true
    } catch (error) {
      log.error(
        { err: error, notice: notice('en').happened({ name: telling.app.name }) },
        'A mail about an account was not sent',
      )
    }
  }
  return isTaken
}
