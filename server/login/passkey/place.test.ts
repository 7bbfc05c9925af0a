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

describe('where a passkey was asked', () => {
  test('is the dialog, in a frame of a page that may embed it or by itself', () => {
    expect(refusal({})).toBeUndefined()
    expect(refusal({ crossOrigin: false, topOrigin: undefined })).toBeUndefined()
    // Safari names no page that it is embedded in.
    expect(refusal({ topOrigin: undefined })).toBeUndefined()
    expect(refusal({ crossOrigin: undefined, topOrigin: undefined })).toBeUndefined()
  })

  test('is not another page, nor a frame of one that may not embed it', () => {
    expect(refusal({ origin: host })).toBe('origin')
    expect(refusal({ origin: 'https://dialog.example:444' })).toBe('origin')
    expect(refusal({ topOrigin: 'https://evil.example' })).toBe('top_origin')
  })

  test('is not within another page where it is said to be within none', () => {
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
])('what has %s was said by no browser', (_name, change) => {
  expect(said(change)).toBeUndefined()
  expect(said({})).toEqual(right)
})

test('what is no JSON was said by no browser', () => {
  expect(readClientData('!')).toBeUndefined()
  expect(readClientData(Buffer.from('null').toString('base64url'))).toBeUndefined()
})
