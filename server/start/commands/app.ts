import { appTool } from './app-tool.ts'
import { runTool } from './command.ts'

export const run = (args: string[]): Promise<void> => runTool(appTool, args)
