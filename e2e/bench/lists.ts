/** Measures the database time of each list and look-up of the Admin API, on SQLite and PostgreSQL. */
import { spawn } from 'node:child_process'
import { startPostgres } from '../../scripts/local/postgres.ts'

export async function measureLists(users: number): Promise<void> {
  await runMeasurement(users, [])
  const postgres = await startPostgres()
  try {
    await runMeasurement(users, ['--url', postgres.url])
  } finally {
    await postgres.stop()
  }
}

const runMeasurement = (users: number, place: string[]) =>
  new Promise<void>((resolve, reject) => {
    const args = [
      '--conditions=latchkey-source',
      'server/testing/measure-lists.ts',
      '--users',
      String(users),
      ...place,
    ]
    const child = spawn(process.execPath, args, { stdio: 'inherit' })
    child.once('error', reject)
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`The measurement ended with ${code}`)),
    )
  })
