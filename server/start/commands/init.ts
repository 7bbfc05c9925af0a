/** `latchkey init`: writes the variables of a new server and its master key file. */
import { randomBytes } from 'node:crypto'
import { closeSync, existsSync, fsyncSync, linkSync, openSync, rmSync, writeSync } from 'node:fs'
import { dirname, isAbsolute, join, relative } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { collectEnvironment } from '../../kernel/capability.ts'
import { ConfigError, parseConfig } from '../../kernel/config.ts'
import { parseEngine } from '../../kernel/db/database.ts'
import { syncFolder } from '../../kernel/files.ts'
import { createMasterKeyFile, masterKeyFileExists, newMasterKey } from '../../kernel/keys/master-key.ts'
import { capabilities } from '../capabilities.ts'
import { runProgram } from './command.ts'
import { parseOptions } from './spec.ts'
import { initSpec } from './specs/server.ts'
import { resolveUserPath } from './whole-database/operation.ts'

/** Its message is printed without a stack. */
export class InitRefusal extends Error {
  override readonly name = 'InitRefusal'
}

type Variable = 'DIALOG_ORIGIN' | 'WALLET_ORIGIN' | 'SMTP_URL' | 'MAIL_FROM' | 'DATA_DIR'
type Answers = Partial<Record<Variable, string>>

type Question = {
  variable: Variable
  option: 'dialog-origin' | 'wallet-origin' | 'smtp-url' | 'mail-from' | 'data-dir'
  text: string
  /** Undefined if only the operator can know the answer. */
  suggest: (answers: Answers, userFolder: string) => string | undefined
  normalize?: (answer: string, userFolder: string) => string
}

const hostname = (origin = '') => URL.parse(origin)?.hostname ?? ''
/** Returns the domain below the first label: `dialog.acme.example` becomes `acme.example`. */
const parentDomain = (origin: string | undefined) => {
  const labels = hostname(origin).split('.')
  return labels.length > 2 ? labels.slice(1).join('.') : labels.join('.')
}
const toOrigin = (answer: string) =>
  answer.includes('://') ? answer.replace(/\/$/, '') : `https://${answer}`

const questions: Question[] = [
  {
    variable: 'DIALOG_ORIGIN',
    option: 'dialog-origin',
    text: 'Hostname or origin of the dialog, such as dialog.example',
    suggest: () => undefined,
    normalize: toOrigin,
  },
  {
    variable: 'WALLET_ORIGIN',
    option: 'wallet-origin',
    text: 'Hostname or origin of the wallet, on another site if possible',
    suggest: ({ DIALOG_ORIGIN }) => `https://wallet.${parentDomain(DIALOG_ORIGIN)}`,
    normalize: toOrigin,
  },
  {
    variable: 'SMTP_URL',
    option: 'smtp-url',
    text: 'Mail server: smtps://user:password@host or smtp://host:port',
    suggest: () => 'smtp://127.0.0.1:25',
  },
  {
    variable: 'MAIL_FROM',
    option: 'mail-from',
    text: 'Sender of your mails: an address, or Name <address>',
    suggest: ({ DIALOG_ORIGIN }) => `login@${parentDomain(DIALOG_ORIGIN)}`,
  },
  {
    variable: 'DATA_DIR',
    option: 'data-dir',
    text: 'Folder of the database and the master key',
    suggest: (_, userFolder) => join(userFolder, 'data'),
    normalize: (answer, userFolder) => (isAbsolute(answer) ? answer : join(userFolder, answer)),
  },
]

export type InitContext = {
  userFolder: string
  /** Undefined without a terminal. */
  ask: ((question: string) => Promise<string>) | undefined
  print: (line: string) => void
}

export async function initialize(args: string[], context: InitContext): Promise<void> {
  const values = parseOptions(initSpec, args)
  const { userFolder, print } = context
  const out = resolveUserPath(values.out ?? '.env', { INIT_CWD: userFolder })
  if (existsSync(out)) {
    throw new InitRefusal(`${out} already exists. Remove it, or name another file: --out <path>`)
  }
  const databaseUrl = values['database-url']
  const fixed = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }
  const answers: Answers = {}
  const unanswered: string[] = []
  for (const question of questions) {
    const flag = values[question.option]
    const suggestion = question.suggest(answers, userFolder)
    if (flag === undefined && context.ask && values.yes !== true) {
      answers[question.variable] = await askUntilValid(
        question,
        suggestion,
        { ...answers, ...fixed },
        context.ask,
        context,
      )
      continue
    }
    const answer = flag ?? (values.yes === true ? suggestion : undefined)
    if (answer === undefined) unanswered.push(`--${question.option}`)
    else answers[question.variable] = question.normalize?.(answer, userFolder) ?? answer
  }
  if (unanswered.length > 0) {
    throw new InitRefusal(
      `There is no terminal to ask at. Add ${unanswered.join(', ')}${values.yes === true ? '' : ', or --yes for the defaults'}.`,
    )
  }
  const problems = findProblems({ ...answers, ...fixed })
  if (problems.length > 0) throw new InitRefusal(problems.join('\n'))
  writeFiles(out, { ...answers, ...fixed }, context)
  const file = relative(userFolder, out)
  const option = `--env-file ${/\s/.test(file) ? `'${file}'` : file}`
  if (databaseUrl !== undefined && parseEngine(databaseUrl) === 'postgres') {
    print(`Create the tables: latchkey migrate ${option}`)
  }
  print(`Next: latchkey doctor ${option}`)
  print(`Then: latchkey serve ${option}`)
}

async function askUntilValid(
  { variable, text, normalize }: Question,
  suggestion: string | undefined,
  earlier: Readonly<Record<string, string>>,
  ask: (question: string) => Promise<string>,
  { userFolder, print }: InitContext,
): Promise<string> {
  for (;;) {
    const line = (await ask(suggestion === undefined ? `${text}: ` : `${text} [${suggestion}]: `)).trim()
    const answer = line === '' ? suggestion : (normalize?.(line, userFolder) ?? line)
    if (answer === undefined) continue
    const problems = findProblems({ ...earlier, [variable]: answer }).filter((each) =>
      each.startsWith(`${variable} `),
    )
    if (problems.length === 0) return answer
    for (const problem of problems) print(problem)
  }
}

/** Validates the variables by the schemas of the server. */
function findProblems(variables: Readonly<Record<string, string>>): string[] {
  try {
    parseConfig(variables, collectEnvironment(capabilities))
    return []
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
}

function writeFiles(out: string, variables: Readonly<Record<string, string>>, { print }: InitContext): void {
  const { masterKeyFile } = parseConfig(variables, collectEnvironment(capabilities))
  const text = formatEnvFile(variables)
  if (masterKeyFileExists(masterKeyFile)) {
    print(`Kept ${masterKeyFile}, which exists already.`)
  } else {
    createMasterKeyFile(masterKeyFile, [newMasterKey()])
    print(`Wrote ${masterKeyFile}. Copy it to a safe place: without it, nobody can open the wallets.`)
  }
  writeNewFile(out, text)
  print(`Wrote ${out}.`)
}

/** Writes the file atomically and throws if it exists. */
function writeNewFile(path: string, text: string): void {
  const draft = `${path}.${randomBytes(8).toString('hex')}`
  try {
    const descriptor = openSync(draft, 'wx', 0o600)
    try {
      writeSync(descriptor, text)
      fsyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
    linkSync(draft, path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') {
      throw new InitRefusal(`${path} already exists. It was not changed.`)
    }
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
  syncFolder(dirname(path))
}

const comments: Readonly<Record<string, string>> = {
  DIALOG_ORIGIN: 'The origins of the dialog and the wallet. Your TLS proxy forwards both to the server.',
  SMTP_URL: 'The mail server for login codes, and the sender.',
  DATA_DIR: 'The folder of the database and the master key.',
  DATABASE_URL: 'The database, instead of an SQLite file in DATA_DIR.',
  TRUSTED_PROXIES: 'The address of your TLS proxy.',
}

export function formatEnvFile(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries({ ...variables, TRUSTED_PROXIES: '127.0.0.1' }).flatMap(([name, value]) => {
    const comment = comments[name]
    return [...(comment === undefined ? [] : [`# ${comment}`]), `${name}=${quote(value)}`]
  })
  return `${lines.join('\n')}\n# Every variable: docs/reference/environment.md\n`
}

function quote(value: string): string {
  if (/^[\w@%+:,./=-]*$/.test(value)) return value
  if (!value.includes("'")) return `'${value}'`
  if (!/["\\$`]/.test(value)) return `"${value}"`
  throw new InitRefusal(
    `An .env file cannot contain the value ${value}. Encode its quotes, for example as %27.`,
  )
}

export const run = (args: string[]): Promise<void> =>
  runProgram(async (environment, print) => {
    const hasTerminal = process.stdin.isTTY && process.stdout.isTTY
    const terminal = hasTerminal
      ? createInterface({ input: process.stdin, output: process.stdout })
      : undefined
    // Ctrl+C and Ctrl+D end the program before anything is written.
    terminal?.once('close', () => process.exit(1))
    try {
      await initialize(args, {
        userFolder: resolveUserPath('.', environment),
        ask: terminal && ((question) => terminal.question(question)),
        print,
      })
      return { ok: true }
    } catch (error) {
      if (error instanceof InitRefusal) return { ok: false, why: error.message }
      throw error
    } finally {
      terminal?.removeAllListeners('close')
      terminal?.close()
    }
  })
