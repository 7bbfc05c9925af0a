import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactOrigin, isListableOrigin, isOriginListed } from './origins.ts'

describe('origins', () => {
  it.each(['https://app.example', 'http://demo.localhost:4010', 'https://app.example:8443'])(
    '%s is exact',
    (origin) => {
      expect(exactOrigin(origin)).toBe(origin)
    },
  )

  it.each([
    'https://app.example/',
    'https://app.example/path',
    'https://APP.example',
    'https://app.example:443',
    'https://user@app.example',
    'app.example',
    'https://*.com',
    'https://app.example;script-src',
    'https://a,b.example',
    'null',
    '*',
    'file:///x',
    'data:text/html,x',
    'javascript:alert(1)',
    '',
  ])('%s is not a valid origin', (value) => {
    expect(exactOrigin(value)).toBeUndefined()
  })

  it('a wildcard matches one label, never a whole top-level domain', () => {
    const list = ['https://*.preview.example']
    expect(isOriginListed('https://pr-12.preview.example', list)).toBe(true)
    expect(isOriginListed('https://a.b.preview.example', list)).toBe(false)
    expect(isOriginListed('https://preview.example', list)).toBe(false)
    expect(isOriginListed('http://pr-12.preview.example', list)).toBe(false)
    expect(isOriginListed('https://pr-12.preview.example.evil.test', list)).toBe(false)
    expect(isOriginListed('https://evil.test/.preview.example', list)).toBe(false)
    expect(isListableOrigin('https://*.com')).toBe(false)
    expect(isListableOrigin('https://*')).toBe(false)
    expect(isListableOrigin('*')).toBe(false)
  })

  it('only listed origins match', () => {
    fc.assert(
      fc.property(fc.webUrl({ withQueryParameters: true }), (url) => {
        expect(isOriginListed(url, ['https://app.example'])).toBe(url === 'https://app.example')
      }),
    )
  })
})
