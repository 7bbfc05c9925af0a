// The sizes of a built tree against their limits in .size-limit.mjs.

import { run } from '../processes/run.ts'
import { say } from '../setup.mjs'

/** A check without files passes and has no limit. */
type Row = { name: string; passed: boolean; size: number; sizeLimit?: number }
const isMet = ({ passed, sizeLimit }: Row) => passed && sizeLimit !== undefined

/** Prints each size with its limit, and counts the exceeded limits. */
export async function size(): Promise<{ passed: number; failed: number }> {
  const { output } = await run('size-limit', ['--json'])
  const rows = parseRows(output)
  if (rows === undefined) {
    say(output)
    return { passed: 0, failed: 1 }
  }
  for (const row of rows) {
    const { name, size, sizeLimit } = row
    const text = sizeLimit === undefined ? 'is not built' : `${String(size).padStart(8)} of ${sizeLimit} B`
    say(`  ${isMet(row) ? 'ok    ' : 'FAILED'} ${name.padEnd(38)}${text}`)
  }
  const passed = rows.filter(isMet).length
  return { passed, failed: rows.length - passed }
}

/** Returns undefined for a report of an error, for example of a missing build. */
function parseRows(output: string): Row[] | undefined {
  try {
    const report: unknown = JSON.parse(output)
    return Array.isArray(report) ? report : undefined
  } catch {
    return undefined
  }
}
