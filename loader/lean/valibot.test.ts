import * as fc from 'fast-check'
import * as valibot from 'valibot'
import { describe, expect, it } from 'vitest'
import * as lean from './valibot.ts'

/** Written once, read by both: the lean part has the same names with the same arguments. */
type Valibot = typeof valibot
const both = (make: (v: Valibot) => unknown) => ({
  theirs: make(valibot) as valibot.GenericSchema,
  ours: make(lean as unknown as Valibot) as unknown as Parameters<typeof lean.safeParse>[0],
})

const schemas: Readonly<Record<string, (v: Valibot) => unknown>> = {
  string: (v) => v.string(),
  number: (v) => v.number(),
  boolean: (v) => v.boolean(),
  unknown: (v) => v.unknown(),
  literal: (v) => v.literal('a'),
  picklist: (v) => v.picklist(['a', 'b']),
  nullable: (v) => v.nullable(v.string()),
  array: (v) => v.array(v.nullable(v.number())),
  object: (v) => v.object({ a: v.string(), b: v.exactOptional(v.nullable(v.number())) }),
  'object in an array in an object': (v) => v.object({ a: v.array(v.object({ b: v.boolean() })) }),
  looseObject: (v) => v.looseObject({ a: v.string() }),
  strictObject: (v) => v.strictObject({ a: v.unknown(), b: v.exactOptional(v.string()) }),
  variant: (v) =>
    v.variant('a', [
      v.object({ a: v.literal('a'), b: v.number() }),
      v.object({ a: v.literal('b') }),
      v.looseObject({ a: v.literal('c'), b: v.nullable(v.string()) }),
    ]),
  'text of a length': (v) => v.pipe(v.string(), v.minLength(1), v.maxLength(2)),
  'text with a start': (v) => v.pipe(v.string(), v.startsWith('a'), v.metadata({ wire: 'kept' })),
  'whole number': (v) => v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
}

const leaf = fc.constantFrom<unknown[]>(
  ...[
    'a',
    'b',
    'c',
    '',
    'ab',
    'abc',
    null,
    undefined,
    true,
    0,
    1,
    -1,
    0.5,
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ],
  ...[2 ** 60, 10n, [], {}, new Date(0), new Map(), Symbol('a'), () => 'a', Object.create(null)],
)
const keyed = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(fc.constantFrom('a', 'b', 'c', 'constructor', 'toString'), value, { noNullPrototype: true })
const input = fc.oneof(leaf, keyed(leaf), fc.array(leaf), keyed(fc.oneof(leaf, fc.array(keyed(leaf)))))

describe('the lean part of valibot', () => {
  it.each(Object.entries(schemas))('%s accepts, returns and locates what valibot does', (_name, make) => {
    const { theirs, ours } = both(make)
    fc.assert(
      fc.property(input, (value) => {
        const expected = valibot.safeParse(theirs, value)
        const actual = lean.safeParse(ours, value)
        expect(actual.success).toBe(expected.success)
        if (expected.success) expect(actual.output).toEqual(expected.output)
        else {
          const [issue] = actual.issues ?? []
          expect(issue && lean.getDotPath(issue)).toBe(valibot.getDotPath(expected.issues[0]) ?? '')
        }
      }),
      { numRuns: 1_000 },
    )
  })

  it('never writes a prototype', () => {
    const value: unknown = JSON.parse('{"a":"x","__proto__":{"polluted":true}}')
    for (const make of [lean.object, lean.looseObject]) {
      const { output } = lean.safeParse(make({ a: lean.string() }), value)
      expect(Reflect.get(Object(output), 'polluted')).toBeUndefined()
    }
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
  })
})
