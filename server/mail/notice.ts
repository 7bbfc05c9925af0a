/** A mail that says what happened to somebody's account: what it means, and what to do if it was not them. */
import { html } from 'hono/html'
import type { ServerContext } from '../context.ts'
import { type Mail, mailer } from './mailer.ts'
import { oneLine } from './one-line.ts'
import { imagesOf, logoOf, mailPage } from './page.ts'

export type Notice = {
  /** The name of the app stands between the two. */
  readonly happened: readonly [before: string, after: string]
  readonly meaning: string
  readonly ifNotYou: (appName: string) => string
}
type NamedApp = { readonly name: string; readonly config: { readonly logoUrl: string | null } }

function noticeMail(to: string, app: NamedApp, { happened, meaning, ...notice }: Notice): Mail {
  const name = oneLine(app.name)
  const [before, after] = happened
  const subject = `${before}${name}${after}`
  const ifNotYou = notice.ifNotYou(name)
  const logo = logoOf(app.config.logoUrl)
  return {
    to,
    subject,
    text: [`${subject}.`, meaning, ifNotYou].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      name,
      logo,
      heading: html`${before}<bdi>${name}</bdi>${after}`,
      body: html`<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${meaning}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>`,
    }),
    images: imagesOf(logo),
  }
}

/** What was done is not undone because of a mail; why none went out is in the log. */
export async function sendNotice(
  { ports, log }: Pick<ServerContext, 'ports' | 'log'>,
  addresses: readonly string[],
  app: NamedApp,
  notice: Notice,
): Promise<void> {
  for (const to of addresses) {
    try {
      await mailer.on(ports).send(noticeMail(to, app, notice))
    } catch (error) {
      log.error({ err: error, notice: notice.happened }, 'A mail about an account was not sent')
    }
  }
}
