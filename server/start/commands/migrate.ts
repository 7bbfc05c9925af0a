/** `npm run migrate` */
import { runTool } from './command.ts'
import { migrateTool } from './migrate-tool.ts'

await runTool(migrateTool)
