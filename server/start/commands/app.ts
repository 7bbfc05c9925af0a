import { appTool } from './app-tool.ts'
import { runTool } from './command.ts'

export const run = (args: readonly string[]): Promise<void> => runTool(appTool, args)
