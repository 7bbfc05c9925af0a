// npm run app and npm run keys: an operator's tool, on the data of the product that LATCHKEY_PORT_BASE names here,
// unless the environment names another server: its DATABASE_URL, MASTER_KEY_FILE, DIALOG_ORIGIN and so on.

import { spawn } from 'node:child_process'
import { serverEnvironment } from './local.mjs'
import { localPorts } from './ports.ts'

const [tool, ...args] = process.argv.slice(2)
const child = spawn(process.execPath, ['--conditions=latchkey-source', tool, ...args], {
  stdio: 'inherit',
  env: { ...serverEnvironment(localPorts()), ...process.env },
})
child.once('close', (code) => process.exit(code ?? 1))
