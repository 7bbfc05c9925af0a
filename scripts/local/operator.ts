// npm run app, keys, copy, backup, restore and snippet: an operator's tool, on the data of the product that
// LATCHKEY_PORT_BASE names here, unless the environment names another server: its DATABASE_URL, MASTER_KEY_FILE and so on.
// A DIALOG_ORIGIN that is not of this machine means the product of npm run serve.

import { spawn } from 'node:child_process'
import { compileCache } from '../setup.mjs'
import { serverEnvironment } from './local.ts'
import { isHosted, productionEnvironment } from './operator-environment.ts'
import { localPorts } from './ports.ts'

const child = spawn(process.execPath, ['--conditions=latchkey-source', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...compileCache,
    ...(isHosted(process.env)
      ? productionEnvironment(process.env)
      : { ...serverEnvironment(localPorts()), ...process.env }),
  },
})
child.once('close', (code) => process.exit(code ?? 1))
