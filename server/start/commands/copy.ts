/** `npm run copy -- …` */
import { copyTool } from './copy-tool.ts'
import { runOperationProgram } from './operation.ts'

await runOperationProgram(copyTool)
