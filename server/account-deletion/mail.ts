/** The mail about an account that is gone. It is the last one to this address. */
import { html } from 'hono/html'
import { imagesOf, logoOf, type Mail, mailPage, oneLine } from '../mail/mail.ts'

type DeletionMail = {
  readonly to: string
  readonly app: { readonly name: string; readonly config: { readonly logoUrl: string | null } }
}

export function deletionMail({ to, app }: DeletionMail): Mail {
  const name = oneLine(app.name)
  const subject = `Your ${name} account was deleted`
  const meaning = 'Its wallet can not be recovered, not even by us. With this address you can sign up anew.'
  const ifNotYou = `If this was not you, somebody else used your account: write to ${name}.`
  const logo = logoOf(app.config.logoUrl)
  return {
    to,
    subject,
    text: [`${subject}.`, meaning, ifNotYou].join('\n\n').concat('\n'),
    html: mailPage({
      title: subject,
      name,
      logo,
      heading: html`Your <bdi>${name}</bdi> account was deleted`,
      body: html`<p class="text" style="margin:0 0 12px;font-size:15px;line-height:22px;color:#17171a">${meaning}</p>
<p class="quiet" style="margin:0;font-size:13px;line-height:20px;color:#5f5f6b">${ifNotYou}</p>`,
    }),
    images: imagesOf(logo),
  }
}
