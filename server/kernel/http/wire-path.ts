/** Where in the JSON that was sent a schema found fault, by the names that were sent. */
import { wireName } from '@latchkey/protocol'
import type * as v from 'valibot'

type Walked = v.BaseSchema<unknown, unknown, v.BaseIssue<unknown>> & {
  readonly entries?: Readonly<Record<string, Walked>>
  readonly item?: Walked
  readonly wrapped?: Walked
  readonly options?: readonly Walked[]
}

export function wirePath(schema: Walked, issue: v.BaseIssue<unknown>): string {
  const keys = (issue.path ?? []).map((item) => item.key)
  const names: string[] = []
  let at: Walked | undefined = schema
  for (const key of keys) {
    const holder = holderOf(at, key)
    const inner: Walked | undefined = typeof key === 'number' ? holder?.item : holder?.entries?.[String(key)]
    names.push(inner && typeof key === 'string' ? wireName(key, inner) : String(key))
    at = inner
  }
  return names.join('.')
}

/** The schema that has this key itself: below what only wraps it, and in whichever option. */
function holderOf(schema: Walked | undefined, key: unknown): Walked | undefined {
  if (!schema) return undefined
  if (schema.wrapped) return holderOf(schema.wrapped, key)
  if (schema.options) {
    const holders = schema.options.map((option) => holderOf(option, key))
    return holders.find(
      (holder) => holder?.item !== undefined || Object.hasOwn(holder?.entries ?? {}, String(key)),
    )
  }
  return schema
}
