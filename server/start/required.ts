/** Variables that a production server needs. Has no imports, so scripts can read it before packages are installed. */

const required = {
  DIALOG_ORIGIN: 'the origin of the dialog, such as https://dialog.example',
  WALLET_ORIGIN: 'the origin of the wallet, such as https://wallet.example',
  SMTP_URL: 'your mail server, such as smtps://user:password@smtp.example',
  MAIL_FROM: "the sender of your mails, such as 'Fieldnotes <login@example.com>'",
  DATA_DIR:
    'the folder of the database and the master key, unless DATABASE_URL and MASTER_KEY_FILE name both',
} as const

type Environment = Readonly<Record<string, string | undefined>>
export type RequiredVariable = { name: keyof typeof required; meaning: string }

/** Only an explicit localhost origin means a development server; an unset variable must not. */
const isForOneMachine = ({ DIALOG_ORIGIN }: Environment): boolean => {
  const hostname = URL.parse(DIALOG_ORIGIN ?? '')?.hostname
  return hostname !== undefined && (hostname === 'localhost' || hostname.endsWith('.localhost'))
}

/** Returns whether a server on a public hostname needs this variable. */
export const isRequired = (name: string): boolean => Object.hasOwn(required, name)

const namesBothFiles = ({ DATABASE_URL, MASTER_KEY_FILE }: Environment): boolean =>
  Boolean(DATABASE_URL) && Boolean(MASTER_KEY_FILE)

export const missingVariables = (environment: Environment): RequiredVariable[] =>
  isForOneMachine(environment)
    ? []
    : (Object.keys(required) as (keyof typeof required)[])
        .filter((name) => !environment[name] && !(name === 'DATA_DIR' && namesBothFiles(environment)))
        .map((name) => ({ name, meaning: required[name] }))

const longestName = Math.max(...Object.keys(required).map((name) => name.length))

export const listVariables = (variables: RequiredVariable[]): string =>
  variables.map(({ name, meaning }) => `  ${name.padEnd(longestName)}  ${meaning}`).join('\n')
