import { keepsName, LatchkeyError } from '@latchkey/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { parseWire } from './body.ts'

const getIssuePath = (schema: v.GenericSchema, value: unknown) => {
  try {
    parseWire(schema, value)
  } catch (error) {
    if (error instanceof LatchkeyError) return v.parse(v.object({ path: v.string() }), error.details).path
    throw error
  }
  throw new Error('The value is valid')
}
const inner = v.object({ someName: v.string(), phoneNumber: v.pipe(v.string(), keepsName()) })

test('reports the nested path of an issue in wire names', () => {
  expect(getIssuePath(v.object({ outerThing: inner }), { outer_thing: { some_name: 1 } })).toBe(
    'outer_thing.some_name',
  )
  expect(getIssuePath(v.array(inner), [{ some_name: 'a', phoneNumber: 1 }])).toBe('0.phoneNumber')
})

test('reports the path inside wrapped schemas', () => {
  for (const wrapped of [v.nullable(inner), v.optional(inner), v.nullish(v.nullable(inner))]) {
    expect(getIssuePath(v.object({ outerThing: wrapped }), { outer_thing: { some_name: 1 } })).toBe(
      'outer_thing.some_name',
    )
  }
})

test('reports the path inside the matching option or list', () => {
  const either = v.variant('kind', [
    v.object({ kind: v.literal('one'), firstThing: v.string() }),
    v.object({ kind: v.literal('two'), phoneNumber: v.pipe(v.string(), keepsName()) }),
  ])
  expect(getIssuePath(either, { kind: 'one' })).toBe('first_thing')
  expect(getIssuePath(either, { kind: 'two' })).toBe('phoneNumber')
  const lists = v.variant('kind', [
    v.object({ kind: v.literal('one'), manyThings: v.string() }),
    v.object({ kind: v.literal('two'), manyThings: v.array(inner) }),
  ])
  expect(getIssuePath(lists, { kind: 'two', many_things: [{ some_name: 'a', phoneNumber: 1 }] })).toMatch(
    /^many_things\.0\./,
  )
  const listed = v.union([v.string(), v.array(v.object({ aName: v.pipe(v.string(), v.minLength(2)) }))])
  expect(getIssuePath(v.object({ outerThing: listed }), { outer_thing: [{ a_name: 'a' }] })).toBe(
    'outer_thing.0.a_name',
  )
})

test('reports an empty path for the whole body, and unknown keys unchanged', () => {
  expect(getIssuePath(inner, 'a text')).toBe('')
  expect(getIssuePath(v.record(v.string(), v.number()), { someKey: 'x' })).toBe('someKey')
})
