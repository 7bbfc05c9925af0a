/** `npm run copy -- …` */
import { copyTool } from './whole-database/copy-tool.ts'
import { runOperationProgram } from './whole-database/operation.ts'

await runOperationProgram(copyTool)
