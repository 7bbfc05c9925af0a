/** The command line `latchkey`. Loads the named command on demand, so that help is printed at once. */
import { loadEnvFiles } from './env-file.ts'
import { formatHelp, isGroup, isHelpOption, type Spec, twoColumns, UsageError } from './spec.ts'
import { type CommandName, specs } from './specs/specs.ts'

type Module = { run: (args: string[]) => Promise<void> }

const modules: Readonly<Record<CommandName, () => Promise<Module>>> = {
  init: () => import('./init.ts'),
  serve: () => import('./serve.ts'),
  migrate: () => import('./migrate.ts'),
  app: () => import('./app.ts'),
  users: () => import('./users.ts'),
  import: () => import('./import.ts'),
  admin: () => import('./admin-tool.ts'),
  operator: () => import('./operator-tool.ts'),
  audit: () => import('./audit-tool.ts'),
  keys: () => import('./keys.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  copy: () => import('./copy.ts'),
  doctor: () => import('./doctor.ts'),
  verify: () => import('./verify.ts'),
  completion: () => import('./completion.ts'),
}

const help = [
  'Usage: latchkey <command>',
  '',
  'Hosts Latchkey: a login and a wallet for web apps.',
  '',
  'Commands:',
  ...twoColumns(Object.entries(specs).map(([name, { summary }]) => [name, summary])),
  '',
  'Options of every command:',
  ...twoColumns([
    ['--env-file <path>', 'reads variables from a file. Variables that are set already take precedence'],
    ['--help', 'describes the command'],
    ['--version', 'prints the release and its commit'],
  ]),
].join('\n')

const isCommand = (name: string): name is CommandName => Object.hasOwn(specs, name)

async function main(args: string[]): Promise<void> {
  // The reader of a pipe may stop early: `… | head`.
  process.stdout.on('error', () => process.exit())
  const [name = '', ...rest] = loadEnvFiles(args, process.env.INIT_CWD ?? process.cwd())
  if (name === '--version') return printVersion()
  if (isHelpOption(name)) return print(help)
  if (!isCommand(name)) {
    throw new UsageError(name === '' ? help : `There is no command ${name}.\n\n${help}`)
  }
  // Capabilities add commands to app, so it prints its help itself.
  if (name !== 'app' && rest.some(isHelpOption)) return print(describe(name, rest))
  const { run } = await modules[name]()
  await run(rest)
}

const print = (text: string) => void process.stdout.write(`${text}\n`)

async function printVersion(): Promise<void> {
  const { readBuildCommit, release } = await import('../../kernel/release.ts')
  const commit = readBuildCommit()
  print(`latchkey ${release}${commit === undefined ? '' : ` (${commit})`}`)
}

function describe(name: CommandName, rest: string[]): string {
  const spec: Spec = specs[name]
  const sub = rest.find((argument) => !argument.startsWith('-')) ?? ''
  const child = isGroup(spec) && Object.hasOwn(spec.commands, sub) ? spec.commands[sub] : undefined
  return child ? formatHelp(`latchkey ${name} ${sub}`, child) : formatHelp(`latchkey ${name}`, spec)
}

try {
  await main(process.argv.slice(2))
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
