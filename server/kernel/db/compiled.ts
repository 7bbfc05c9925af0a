/**
 * Queries of calls that come often. Building and compiling one anew costs several times what SQLite takes to run it,
 * so each is built once a database, with names where its values go, and from then on run with values alone.
 *
 *     const ownerOf = compiled((db, value: ValueOf<{ id: string }>) =>
 *       db.selectFrom('wallets').select('user_id').where('id', '=', value('id')),
 *     )
 *     const [wallet] = await ownerOf(reader, { id })
 */
import { type Compilable, type CompiledQuery, sql } from 'kysely'
import type { Reader } from '../ports.ts'

/** Stands for a value while the query is built. A column that may be null is not compared with one of these. */
export type ValueOf<Values> = <Name extends keyof Values>(name: Name) => Values[Name]

type Prepared<Row, Name> = {
  query: CompiledQuery<Row>
  /** What each parameter is called, or undefined for one that is always the same. */
  names: readonly (Name | undefined)[]
}

export function compiled<Values extends object, Row>(
  build: (db: Reader, value: ValueOf<Values>) => Compilable<Row>,
): (reader: Reader, values: Values) => Promise<readonly Row[]> {
  /** By what a database has in common with its connections and transactions, each of which is a handle of its own. */
  const prepared = new WeakMap<object, Prepared<Row, keyof Values>>()

  function preparedFor(reader: Reader): Prepared<Row, keyof Values> {
    const { adapter } = reader.getExecutor()
    const known = prepared.get(adapter)
    if (known) return known
    const places = new Map<unknown, keyof Values>()
    const query = build(reader, (name) => {
      const place = {}
      places.set(place, name)
      return sql.val(place) as never
    }).compile()
    const made = { query, names: query.parameters.map((parameter) => places.get(parameter)) }
    prepared.set(adapter, made)
    return made
  }

  return async (reader, values) => {
    const { query, names } = preparedFor(reader)
    const parameters = names.map((name, at) => (name === undefined ? query.parameters[at] : values[name]))
    const { rows } = await reader.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}
