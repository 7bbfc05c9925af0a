// npm run serve: the product for real users, without the sandbox. The environment configures it; development defaults do
// not apply. It neither installs nor builds, because a start in production must not depend on a registry or a compiler.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { listVariables, missingVariables } from '../../server/start/required.ts'
import { servedPackages } from '../builds/build.ts'
import { childEnvironment, endWithWords, missingPackages, root, say } from '../setup.mjs'
import { productionEnvironment, readArguments, runLatchkey } from './operator-environment.ts'

readArguments()
const environment = childEnvironment(productionEnvironment(process.env))
const missing = missingVariables(environment)
if (missing.length > 0) {
  endWithWords(`\
npm run serve hosts Latchkey for your users. These variables are missing:
${listVariables(missing)}

For example:

  export DIALOG_ORIGIN=https://dialog.example  WALLET_ORIGIN=https://wallet.example
  export SMTP_URL=smtps://user:password@smtp.example  MAIL_FROM='Fieldnotes <login@example.com>'
  export TRUSTED_PROXIES=127.0.0.1    # your TLS proxy
  npm run serve

Every variable: docs/reference/environment.md. To try Latchkey on this machine alone: npm start`)
}

const packages = missingPackages(root, { work: false })
if (packages.length > 0) {
  endWithWords(
    `${packages.length} packages are missing or have another version, such as ${packages[0]}. Run: npm ci --omit=dev`,
  )
}
const unbuilt = servedPackages.filter((folder) => !existsSync(join(root, folder, 'dist')))
if (unbuilt.length > 0) {
  endWithWords(`These pages are not built: ${unbuilt.join(', ')}. Run: npm run build -- --served`)
}

const { DATA_DIR = '', DATABASE_URL, MASTER_KEY_FILE = join(DATA_DIR, 'keys', 'master.key') } = environment
say(
  `Database: ${DATABASE_URL?.replace(/\/\/[^@/]*@/, '//…@') ?? join(DATA_DIR, 'database', 'latchkey.sqlite')}`,
)
say(`Master key: ${MASTER_KEY_FILE}  (back it up: npm run keys -- backup <file>)`)
await runLatchkey(['serve'], environment)
