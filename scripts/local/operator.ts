// npm run app, keys, copy, backup, restore and snippet: operator tools. They use the local product of
// LATCHKEY_PORT_BASE, unless the environment names another server with DATABASE_URL, MASTER_KEY_FILE and so on.
// A DIALOG_ORIGIN of another machine selects the product of npm run serve.

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
