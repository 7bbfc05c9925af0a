import { backupTool } from './whole-database/backup-tool.ts'
import { runOperationProgram } from './whole-database/operation.ts'

export const run = (args: string[]): Promise<void> => runOperationProgram(backupTool, args)
