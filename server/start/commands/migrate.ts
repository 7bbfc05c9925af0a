/** `npm run migrate` */
import { migrateTool } from './migrate-tool.ts'
import { runOperationProgram } from './operation.ts'

await runOperationProgram(migrateTool)
