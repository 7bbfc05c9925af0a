/** `npm run keys -- …` */
import { runTool } from './command.ts'
import { keysTool } from './keys-tool.ts'

await runTool(keysTool)
