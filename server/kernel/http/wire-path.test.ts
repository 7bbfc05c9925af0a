import { keepsName } from '@latchkey/protocol'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { wirePath } from './wire-path.ts'

const pathOf = (schema: v.GenericSchema, value: unknown) => {
  const [issue] = v.safeParse(schema, value).issues ?? []
  if (!issue) throw new Error('Nothing is wrong with it')
  return wirePath(schema, issue)
}
const inner = v.object({ someName: v.string(), phoneNumber: v.pipe(v.string(), keepsName()) })

test('is written as it was sent, however deep it is', () => {
  expect(pathOf(v.object({ outerThing: inner }), { outerThing: { someName: 1 } })).toBe(
    'outer_thing.some_name',
  )
  expect(pathOf(v.array(inner), [{ someName: 'a', phoneNumber: 1 }])).toBe('0.phoneNumber')
})

test('is found below what only wraps it', () => {
  for (const wrapped of [v.nullable(inner), v.optional(inner), v.nullish(v.nullable(inner))]) {
    expect(pathOf(v.object({ outerThing: wrapped }), { outerThing: { someName: 1 } })).toBe(
      'outer_thing.some_name',
    )
  }
})

test('is found in the option that has the field, or the list', () => {
  const either = v.variant('kindOf', [
    v.object({ kindOf: v.literal('one'), firstThing: v.string() }),
    v.object({ kindOf: v.literal('two'), phoneNumber: v.pipe(v.string(), keepsName()) }),
  ])
  expect(pathOf(either, { kindOf: 'one' })).toBe('first_thing')
  expect(pathOf(either, { kindOf: 'two' })).toBe('phoneNumber')
  const lists = v.variant('kindOf', [
    v.object({ kindOf: v.literal('one'), manyThings: v.string() }),
    v.object({ kindOf: v.literal('two'), manyThings: v.array(inner) }),
  ])
  expect(pathOf(lists, { kindOf: 'two', manyThings: [{ someName: 'a', phoneNumber: 1 }] })).toMatch(
    /^many_things\.0\./,
  )
  const listed = v.union([v.string(), v.array(v.object({ aName: v.pipe(v.string(), v.minLength(2)) }))])
  expect(pathOf(v.object({ outerThing: listed }), { outerThing: [{ aName: 'a' }] })).toBe(
    'outer_thing.0.a_name',
  )
})

test('of the whole is empty, and of what no schema names is told as it is', () => {
  expect(pathOf(inner, 'a text')).toBe('')
  expect(pathOf(v.record(v.string(), v.number()), { someKey: 'x' })).toBe('someKey')
})
