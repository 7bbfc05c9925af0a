/**
 * The part of valibot that the host contract uses, for the script that every page of a host loads. A schema here
 * is one function; what it accepts, returns and says is valibot's, which a test compares on the contract itself.
 * A contract that begins to use another part does not build until it is here.
 */
type Key = string | number
type Issue = { message: string; path: readonly { readonly key: Key }[] }
type Check = (value: unknown) => unknown
type Schema = Check & { readonly optional?: true; readonly entries?: Entries }
type Entries = Readonly<Record<string, Schema>>

class Invalid extends Error {
  readonly path: { readonly key: Key }[] = []
}

function refuse(): never {
  throw new Invalid('Invalid data')
}

/** Says where, when something inside is refused. */
function within<T>(key: Key, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof Invalid) error.path.unshift({ key })
    throw error
  }
}

const check =
  (holds: (value: never) => boolean): Schema =>
  (value) =>
    // A pipe has checked the type by now.
    holds(value as never) ? value : refuse()

// NaN is no number for valibot.
const typed = (type: string) => () => check((value: unknown) => typeof value === type && !Number.isNaN(value))
export const string = typed('string')
export const number = typed('number')
export const boolean = typed('boolean')
export const unknown = (): Schema => (value) => value
const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

export const picklist = (options: readonly unknown[]) => check((value: unknown) => options.includes(value))
export const literal = (option: unknown) => picklist([option])

export const nullable =
  (wrapped: Schema): Schema =>
  (value) =>
    value === null ? value : wrapped(value)

export const exactOptional = (wrapped: Schema): Schema =>
  Object.assign((value: unknown) => wrapped(value), { optional: true as const })

export const array =
  (item: Schema): Schema =>
  (value) =>
    Array.isArray(value) ? value.map((entry, index) => within(index, () => item(entry))) : refuse()

function fields(entries: Entries, rest: 'dropped' | 'kept' | 'refused'): Schema {
  const read = (value: unknown) => {
    if (!isObject(value)) return refuse()
    const output: Record<string, unknown> = {}
    for (const key in entries) {
      within(key, () => {
        const schema = entries[key]
        if (schema && key in value) output[key] = schema(Reflect.get(value, key))
        else if (!schema?.optional) refuse()
      })
    }
    for (const [key, other] of Object.entries(value)) {
      if (Object.hasOwn(entries, key)) continue
      if (rest === 'refused') within(key, refuse)
      if (rest === 'kept' && !/^(__proto__|prototype|constructor)$/.test(key)) output[key] = other
    }
    return output
  }
  return Object.assign(read, { entries })
}
export const object = (entries: Entries) => fields(entries, 'dropped')
export const looseObject = (entries: Entries) => fields(entries, 'kept')
export const strictObject = (entries: Entries) => fields(entries, 'refused')

export const variant =
  (key: string, options: readonly Schema[]): Schema =>
  (value) => {
    if (!isObject(value)) return refuse()
    const kind = Reflect.get(value, key)
    const fits = options.find(({ entries }) => entries?.[key] && safeParse(entries[key], kind).success)
    return fits ? fits(value) : within(key, refuse)
  }

export const pipe =
  (...steps: readonly Schema[]): Schema =>
  (value) =>
    steps.reduce((output, step) => step(output), value)

export const maxLength = (most: number) => check((value: string) => value.length <= most)
export const minLength = (least: number) => check((value: string) => value.length >= least)
export const minValue = (least: number) => check((value: number) => value >= least)
export const startsWith = (start: string) => check((value: string) => value.startsWith(start))
export const safeInteger = () => check(Number.isSafeInteger)
export const metadata = unknown

export function safeParse(schema: Schema, value: unknown) {
  try {
    return { success: true, output: schema(value) }
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    return { success: false, issues: [error] }
  }
}
export const getDotPath = ({ path }: Issue) => path.map(({ key }) => key).join('.')
