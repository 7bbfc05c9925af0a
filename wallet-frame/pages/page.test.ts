import { describe, expect, it } from 'vitest'
import { getHostPage, mayRunUnder, readPageConfig } from './page.ts'

const dialogOrigin = 'https://dialog.example'
const hostOrigins = ['https://app.example', 'https://*.preview.example']

describe('the wallet frame runs', () => {
  const runsUnder = (...ancestors: string[]) => mayRunUnder(ancestors, { dialogOrigin, hostOrigins })

  it('in the dialog, alone or in a page of the app', () => {
    expect(runsUnder(dialogOrigin)).toBe(true)
    expect(runsUnder(dialogOrigin, 'https://app.example')).toBe(true)
    expect(runsUnder(dialogOrigin, 'https://one.preview.example')).toBe(true)
  })

  it.each([
    [],
    ['https://app.example'],
    ['https://evil.example'],
    ['https://evil.example', 'https://app.example'],
    ['https://app.example', dialogOrigin],
    [dialogOrigin, 'https://evil.example'],
    [dialogOrigin, 'https://app.example', 'https://evil.example'],
    [dialogOrigin, 'null'],
    ['null', 'https://app.example'],
    [`${dialogOrigin}.evil.example`],
    [`${dialogOrigin}/`],
    ['http://dialog.example'],
    [dialogOrigin, 'https://a.b.preview.example'],
    [dialogOrigin, 'https://app.example:8443'],
  ])('under no other windows: %s %s %s', (...ancestors) => {
    expect(runsUnder(...ancestors.filter((origin) => origin !== undefined))).toBe(false)
  })

  it('under any window if the browser does not report ancestors: only the headers restrict it', () => {
    expect(mayRunUnder(undefined, { dialogOrigin, hostOrigins })).toBe(true)
  })
})

describe('the page configuration', () => {
  const inline = JSON.stringify({
    appId: 'a'.repeat(25),
    appName: 'Fieldnotes',
    dialogOrigin,
    hostOrigins,
    apiOrigin: 'https://wallet.example',
    clouds: { icloud: 'https://api.apple-cloudkit.com' },
    hostKeyImport: true,
  })

  it("contains the server's values and the IDs of the query", () => {
    expect(readPageConfig(inline, '?caid=0a1b-2c&client_id=web')).toMatchObject({
      appId: 'a'.repeat(25),
      dialogOrigin,
      hostKeyImport: true,
      analyticsId: '0a1b-2c',
      clientId: 'web',
    })
  })

  it.each(['', '?caid=a%0d%0ab&client_id=%3Cscript%3E', '?caid=&client_id=', `?caid=${'a'.repeat(200)}`])(
    'takes no ID from the query %s',
    (search) => {
      const { analyticsId, clientId } = readPageConfig(inline, search)
      expect([analyticsId, clientId]).toEqual([undefined, undefined])
    },
  )

  it.each([undefined, null, '', '{}', '{', '[]', '"x"', inline.replace('dialogOrigin', 'origin')])(
    'is refused if the page contains %s',
    (text) => {
      expect(() => readPageConfig(text, '')).toThrow(expect.objectContaining({ code: 'invalid_data' }))
    },
  )
})

describe('the page around the dialog', () => {
  const config = { hostOrigins }

  it('has the origin that the browser names', () => {
    expect(
      getHostPage([dialogOrigin, 'https://app.example', 'https://outer.example'], false, config),
    ).toEqual({
      origins: ['https://app.example'],
      isNamed: true,
    })
    expect(getHostPage([dialogOrigin], true, config)).toEqual({ origins: [], isNamed: true })
  })

  it('has any origin of the app if the browser names none, and does not exist around a dialog at the top', () => {
    expect(getHostPage(undefined, false, config)).toEqual({ origins: hostOrigins, isNamed: false })
    expect(getHostPage(undefined, true, config)).toEqual({ origins: [], isNamed: false })
  })
})
