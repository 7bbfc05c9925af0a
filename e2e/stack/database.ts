import { DatabaseSync } from 'node:sqlite'

/** Time passes for a stored row: what a test cannot wait for. A second process beside the server, as operators have. */
export function changeDatabase(file: string, sql: string, ...values: (string | number)[]): number {
  const database = new DatabaseSync(file)
  try {
    database.exec('pragma busy_timeout = 5000')
    return Number(database.prepare(sql).run(...values).changes)
  } finally {
    database.close()
  }
}

export function readDatabase(file: string, sql: string, ...values: (string | number)[]) {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database.prepare(sql).all(...values)
  } finally {
    database.close()
  }
}
