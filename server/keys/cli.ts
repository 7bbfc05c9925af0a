/** `npm run keys -- …` */
import { runTool } from '../command.ts'
import { keysTool } from './tool.ts'

await runTool(keysTool)
