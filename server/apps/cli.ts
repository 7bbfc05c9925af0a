/** `npm run app -- …` */
import { runTool } from '../command.ts'
import { appTool } from './tool.ts'

await runTool(appTool)
