import { DatabaseSync } from 'node:sqlite'

/** Changes a stored row, for example to let time pass. SQLite allows a second process beside the server. */
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
