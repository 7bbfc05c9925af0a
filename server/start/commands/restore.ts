import { runOperationProgram } from './whole-database/operation.ts'
import { restoreTool } from './whole-database/restore-tool.ts'

export const run = (args: string[]): Promise<void> => runOperationProgram(restoreTool, args)
