/** The mail about a key that was given to its user: what happened, and what to do if it was somebody else. */
import { html } from 'hono/html'
import type { App } from '../apps/apps.ts'
import type { ServerContext, WalletToken } from '../context.ts'
import { imagesOf, logoOf, type Mail, mailer, mailPage, oneLine } from '../mail/mail.ts'
import { requireUser } from '../users/users.ts'

type ExportMail = {
  readonly to: string
  readonly app: { readonly name: string; readonly config: { readonly logoUrl: string | null } }
}

export function exportMail({ to, app }: ExportMail): Mail {
  const name = oneLine(app.name)
  const what = 'The key of your wallet was exported'
  const subject = `${what} from ${name}`
  const meaning = 'Whoever has this key can use everything that is in the wallet, without your login.'
  const ifNotYou = `If this was not you, move what is in the wallet to another one at once, log out everywhere, and write to ${name}.`
  const logo = logoOf(app.config.logoUrl)
  return {
    to,
    subject,
    text: [`${subject}.`, meaning, ifNotYou].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      name,
      logo,
      heading: html`${what} from <bdi>${name}</bdi>`,
      body: html`<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${meaning}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>`,
    }),
    images: imagesOf(logo),
  }
}

type ReleasingCall = { readonly app: App; readonly caller: WalletToken }

/** A key that was given is not taken back because of a mail; why none went out is in the log. */
export async function tellOfExport(
  { app, caller }: ReleasingCall,
  { ports, log, db }: ServerContext,
): Promise<void> {
  if (caller.step.purpose !== 'export') return
  const { linkedAccounts } = await requireUser(db, caller.appId, caller.userId)
  for (const account of linkedAccounts) {
    if (account.type !== 'email') continue
    try {
      await mailer.on(ports).send(exportMail({ to: account.address, app }))
    } catch (error) {
      log.error({ err: error }, 'A mail about an exported key was not sent')
    }
  }
}
