/** `npm run restore -- …` */
import { runOperationProgram } from './whole-database/operation.ts'
import { restoreTool } from './whole-database/restore-tool.ts'

await runOperationProgram(restoreTool)
