/**
 * Compiles frequent queries once per database. Building and compiling takes several times longer than SQLite needs to run the
 * query, so the compiled query is cached with named placeholders and then run with new values only.
 *     const ownerOf = compiled((db, value: ValueOf<{ id: string }>) =>
 *       db.selectFrom('wallets').select('user_id').where('id', '=', value('id')),
 *     )
 *     const [wallet] = await ownerOf(reader, { id })
 */
import { type Compilable, type CompiledQuery, sql } from 'kysely'
import type { Reader } from '../ports.ts'

/** Returns a placeholder for a value while the query is built. Do not compare a nullable column with it. */
export type Placeholder<Values> = <Name extends keyof Values>(name: Name) => Values[Name]

type Prepared<Row, Name> = {
  query: CompiledQuery<Row>
  /** The name of each parameter, or undefined for a constant. */
  names: readonly (Name | undefined)[]
}

export function compileQuery<Values extends object, Row>(
  build: (db: Reader, value: Placeholder<Values>) => Compilable<Row>,
): (reader: Reader, values: Values) => Promise<readonly Row[]> {
  /** Keyed by the adapter, which all handles (connections, transactions) of one database share. */
  const prepared = new WeakMap<object, Prepared<Row, keyof Values>>()

  function prepareFor(reader: Reader): Prepared<Row, keyof Values> {
    const { adapter } = reader.getExecutor()
    const cachedQuery = prepared.get(adapter)
    if (cachedQuery) return cachedQuery
    const places = new Map<unknown, keyof Values>()
    const query = build(reader, (name) => {
      const place = {}
      places.set(place, name)
      return sql.val(place) as never
    }).compile()
    const preparedQuery = { query, names: query.parameters.map((parameter) => places.get(parameter)) }
    prepared.set(adapter, preparedQuery)
    return preparedQuery
  }

  return async (reader, values) => {
    const { query, names } = prepareFor(reader)
    const parameters = names.map((name, at) => (name === undefined ? query.parameters[at] : values[name]))
    const { rows } = await reader.executeQuery<Row>({ ...query, parameters })
    return rows
  }
}
