/** Measures lists, look-ups and imports of the Admin API, on SQLite and PostgreSQL. */
import { spawn } from 'node:child_process'
import { startPostgres } from '../../scripts/local/postgres.ts'

export const measureLists = (users: number) => measureOnEngines('server/testing/measure-lists.ts', users)
export const measureImport = (users: number) => measureOnEngines('server/testing/measure-import.ts', users)

async function measureOnEngines(program: string, users: number): Promise<void> {
  await runMeasurement(program, users, [])
  const postgres = await startPostgres()
  try {
    await runMeasurement(program, users, ['--url', postgres.url])
  } finally {
    await postgres.stop()
  }
}

const runMeasurement = (program: string, users: number, place: string[]) =>
  new Promise<void>((resolve, reject) => {
    const args = ['--conditions=latchkey-source', program, '--users', String(users), ...place]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The measurement ended with ${code}`)),
    )
  })
