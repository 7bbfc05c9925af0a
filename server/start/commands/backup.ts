/** `npm run backup -- …` */
import { backupTool } from './backup-tool.ts'
import { runOperationProgram } from './operation.ts'

await runOperationProgram(backupTool)
