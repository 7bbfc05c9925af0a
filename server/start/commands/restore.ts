/** `npm run restore -- …` */
import { runOperationProgram } from './operation.ts'
import { restoreTool } from './restore-tool.ts'

await runOperationProgram(restoreTool)
