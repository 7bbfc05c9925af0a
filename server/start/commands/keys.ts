import { collectKeyColumns } from '../../kernel/capability.ts'
import { capabilities } from '../capabilities.ts'
import { runTool } from './command.ts'
import { createKeysTool } from './keys-tool.ts'

export const run = (args: string[]): Promise<void> =>
  runTool(createKeysTool(collectKeyColumns(capabilities)), args)
