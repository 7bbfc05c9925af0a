import { size } from './budgets.ts'

process.exit((await size()).failed === 0 ? 0 : 1)
