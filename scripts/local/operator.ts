// npm run app, users, keys and so on: aliases of the commands of latchkey.

import { operatorEnvironment } from './local.ts'
import { readArguments, runLatchkey } from './operator-environment.ts'

const args = readArguments()
await runLatchkey(args, operatorEnvironment())
