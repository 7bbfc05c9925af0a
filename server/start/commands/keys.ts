/** `npm run keys -- …` */
import { collectKeyColumns } from '../../kernel/capability.ts'
import { capabilities } from '../capabilities.ts'
import { runTool } from './command.ts'
import { createKeysTool } from './keys-tool.ts'

await runTool(createKeysTool(collectKeyColumns(capabilities)))
