/** Variables that a production server needs. Has no imports, so scripts can read it before packages are installed. */

const required = {
  DIALOG_ORIGIN: 'the origin of the dialog, such as https://dialog.example',
  WALLET_ORIGIN: 'the origin of the wallet, such as https://wallet.example',
  SMTP_URL: 'your mail server, such as smtps://user:password@smtp.example',
  MAIL_FROM: "the sender of your mails, such as 'Fieldnotes <login@example.com>'",
  DATABASE_URL: 'your database: postgres://… or the path of an SQLite file',
  MASTER_KEY_FILE: 'the path of the master key file, outside the database folder',
} as const

type Environment = Readonly<Record<string, string | undefined>>
export type RequiredVariable = { name: keyof typeof required; meaning: string }

/** Only an explicit localhost origin means a development server; an unset variable must not. */
const isForOneMachine = ({ DIALOG_ORIGIN }: Environment): boolean => {
  const hostname = URL.parse(DIALOG_ORIGIN ?? '')?.hostname
  return hostname !== undefined && (hostname === 'localhost' || hostname.endsWith('.localhost'))
}

export const missingVariables = (environment: Environment): readonly RequiredVariable[] =>
  isForOneMachine(environment)
    ? []
    : (Object.keys(required) as (keyof typeof required)[])
        .filter((name) => !environment[name])
        .map((name) => ({ name, meaning: required[name] }))

const longestName = Math.max(...Object.keys(required).map((name) => name.length))

export const listVariables = (variables: readonly RequiredVariable[]): string =>
  variables.map(({ name, meaning }) => `  ${name.padEnd(longestName)}  ${meaning}`).join('\n')
