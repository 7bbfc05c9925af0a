import { describe, expect, test } from 'vitest'
import { readClientData, refusedPlace } from './place.ts'

const host = 'https://app.example'
const right = {
  type: 'webauthn.get',
  challenge: 'YQ',
  origin: 'https://dialog.example',
  crossOrigin: true,
  topOrigin: host,
}
const place = { origin: 'https://dialog.example', mayEmbed: (topOrigin: string) => topOrigin === host }
const said = (change: object) =>
  readClientData(Buffer.from(JSON.stringify({ ...right, ...change })).toString('base64url'))
const refusal = (change: object) => {
  const data = said(change)
  if (data === undefined) throw new Error('No browser says so')
  return refusedPlace(data, place)
}

describe('the place of a ceremony', () => {
  test('accepts the dialog alone and in a frame of an allowed page', () => {
    expect(refusal({})).toBeUndefined()
    expect(refusal({ crossOrigin: false, topOrigin: undefined })).toBeUndefined()
    // Safari sends no embedding page.
    expect(refusal({ topOrigin: undefined })).toBeUndefined()
    expect(refusal({ crossOrigin: undefined, topOrigin: undefined })).toBeUndefined()
  })

  test('rejects another page, and a frame of a page that may not embed the dialog', () => {
    expect(refusal({ origin: host })).toBe('origin')
    expect(refusal({ origin: 'https://dialog.example:444' })).toBe('origin')
    expect(refusal({ topOrigin: 'https://evil.example' })).toBe('top_origin')
  })

  test('rejects an embedding page without a cross-origin flag', () => {
    expect(refusal({ crossOrigin: false })).toBe('top_origin')
    expect(refusal({ crossOrigin: undefined })).toBe('top_origin')
  })
})

test.each([
  ['another type', { type: 'payment.get' }],
  ['no challenge', { challenge: undefined }],
  ['a challenge that is no base64url', { challenge: 'a b' }],
  ['no origin', { origin: undefined }],
  ['a flag that is none', { crossOrigin: 'yes' }],
])('rejects client data with %s', (_name, change) => {
  expect(said(change)).toBeUndefined()
  expect(said({})).toEqual(right)
})

test('rejects client data that is not JSON', () => {
  expect(readClientData('!')).toBeUndefined()
  expect(readClientData(Buffer.from('null').toString('base64url'))).toBeUndefined()
})
