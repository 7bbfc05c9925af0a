import { copyTool } from './whole-database/copy-tool.ts'
import { runOperationProgram } from './whole-database/operation.ts'

export const run = (args: string[]): Promise<void> => runOperationProgram(copyTool, args)
