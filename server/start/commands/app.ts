/** `npm run app -- …` */

import { appTool } from './app-tool.ts'
import { runTool } from './command.ts'

await runTool(appTool)
