// npm run serve: the product for its users, on the project's own Node, without the sandbox. The environment says where;
// what it does not name has no default of a machine on which things are tried.

import { join } from 'node:path'
import { build } from '../builds/build.ts'
import { childEnvironment, endWithWords, root, say } from '../setup.mjs'
import { productionEnvironment, whatServeLacks } from './operator-environment.ts'

const lacking = whatServeLacks(process.env)
if (lacking.length > 0) {
  endWithWords(`\
npm run serve hosts Latchkey for your users. It needs to know${lacking.map(({ name, what }) => `\n  ${name.padEnd(14)} ${what}`).join('')}

For example:

  export DIALOG_ORIGIN=https://dialog.example  WALLET_ORIGIN=https://wallet.example
  export SMTP_URL=smtps://user:password@smtp.example  MAIL_FROM='Fieldnotes <login@example.com>'
  export TRUSTED_PROXIES=127.0.0.1    # your TLS proxy
  npm run serve

Every variable: docs/operating.md. To try Latchkey on this machine alone: npm start`)
}

const { ok } = await build({
  only: ['loader', 'dialog-app', 'wallet-frame'],
  staleOnly: true,
  isServed: true,
})
if (!ok) endWithWords('The build failed, so nothing was started.')

const environment = childEnvironment(productionEnvironment(process.env))
say(`Database: ${environment.DATABASE_URL?.replace(/\/\/[^@/]*@/, '//…@')}`)
say(`Master key: ${environment.MASTER_KEY_FILE}  (back it up: npm run keys -- backup <file>)`)
const args = [
  '--disable-warning=ExperimentalWarning',
  '--conditions=latchkey-source',
  // An idle server takes 26 MB less, and no call costs more: docs/operating.md, Memory.
  '--max-semi-space-size=2',
]
const server = join(root, 'server', 'start', 'main.ts')
// This process becomes the server: signals, exit code and memory are its own.
process.execve?.(process.execPath, [process.execPath, ...args, server], environment)
