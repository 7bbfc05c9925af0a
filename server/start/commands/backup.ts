/** `npm run backup -- …` */
import { backupTool } from './whole-database/backup-tool.ts'
import { runOperationProgram } from './whole-database/operation.ts'

await runOperationProgram(backupTool)
