import { join } from 'node:path'
import { root } from '../setup.mjs'

type Environment = Readonly<Record<string, string | undefined>>

const needed = {
  DIALOG_ORIGIN: 'the origin of the dialog, such as https://dialog.example',
  WALLET_ORIGIN: 'the origin of the wallet, such as https://wallet.example',
  SMTP_URL: 'your mail server, such as smtps://user:password@smtp.example',
  MAIL_FROM: "who your mails come from, such as 'Fieldnotes <login@example.com>'",
} as const

/** What an operator has to say before the product can be hosted, in words. */
export const whatServeLacks = (
  environment: Environment,
): readonly { readonly name: string; readonly what: string }[] =>
  Object.entries(needed)
    .filter(([name]) => !environment[name])
    .map(([name, what]) => ({ name, what }))

/** Whether commands of this shell are for a hosted product, and not for that of `npm start`. */
export const isHosted = ({ DIALOG_ORIGIN }: Environment): boolean => {
  const url = URL.parse(DIALOG_ORIGIN ?? '')
  return url !== null && url.hostname !== 'localhost' && !url.hostname.endsWith('.localhost')
}

/** Data of its own, apart from what was tried on the same machine. What the shell sets wins. */
export const productionEnvironment = (environment: Environment): Record<string, string | undefined> => ({
  DATABASE_URL: join(root, '.data', 'production', 'database', 'latchkey.sqlite'),
  MASTER_KEY_FILE: join(root, '.data', 'production', 'keys', 'master.key'),
  NODE_COMPILE_CACHE: join(root, '.cache', 'compiled'),
  ...withoutEmpty(environment),
})

const withoutEmpty = (environment: Environment) =>
  Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
