import { describe, expect, it } from 'vitest'
import { addressReturns } from '../../entities/login-methods.ts'
import { takeAddressReturn } from '../../host-page/address-return.ts'
import { askPage, askWallet } from '../../host-page/host-wallets.ts'

function take(href: string, webApp = true) {
  const shown: string[] = []
  const history = {
    state: { kept: true },
    replaceState: (state: unknown, _title: string, url?: string | URL | null) => {
      expect(state).toEqual({ kept: true })
      shown.push(String(url))
    },
  }
  const declared = addressReturns.find(({ method }) => method === 'telegram')
  if (!declared) throw new Error('Telegram puts nothing into addresses')
  return { taken: takeAddressReturn(declared, { webApp }, { href }, history), shown }
}

const query =
  'id=42&first_name=Ada&last_name=L&username=ada&photo_url=https%3A%2F%2Ft.me%2Fa.jpg&auth_date=1565810688&hash=c303'
const data = 'query_id=AAH&user=%7B%22id%22%3A42%7D&auth_date=1662771648&hash=c501'

describe('takeAddressReturn with Telegram parameters', () => {
  // spec L2.12, L2.13
  it('takes the parameters of a bot button and keeps the rest of the URL', () => {
    expect(take(`https://app.example/notes?page=2&${query}#top`)).toEqual({
      taken: {
        form: 'login',
        fields: {
          id: '42',
          hash: 'c303',
          auth_date: '1565810688',
          first_name: 'Ada',
          last_name: 'L',
          username: 'ada',
          photo_url: 'https://t.me/a.jpg',
        },
      },
      shown: ['https://app.example/notes?page=2#top'],
    })
  })

  it.each(['id=42', 'id=42&hash=c303', 'id=42&auth_date=1', 'hash=c303&auth_date=1&first_name=Ada'])(
    'leaves the parameters if a required one is missing: %s',
    (own) => {
      expect(take(`https://app.example/?${own}`)).toEqual({ taken: null, shown: [] })
    },
  )

  // spec L2.14
  it('takes the data of a Web App from the fragment', () => {
    const fragment = `tgWebAppData=${encodeURIComponent(data)}&tgWebAppVersion=8.0`
    expect(take(`https://app.example/?page=2#${fragment}`)).toEqual({
      taken: {
        form: 'web app',
        fields: { query_id: 'AAH', user: '{"id":42}', auth_date: '1662771648', hash: 'c501' },
      },
      shown: ['https://app.example/?page=2#tgWebAppVersion=8.0'],
    })
  })

  // spec L3.25
  it('leaves Web App data if it is not used for a login', () => {
    expect(take(`https://app.example/#tgWebAppData=${encodeURIComponent(data)}`, false)).toEqual({
      taken: null,
      shown: [],
    })
  })
})

it('the page rejects other requests and other wallet ids', async () => {
  expect(() => askPage('eth_accounts', [])).toThrow(expect.objectContaining({ code: 'method_not_found' }))
  expect(() => askPage('constructor', [])).toThrow(expect.objectContaining({ code: 'method_not_found' }))
  await expect(askWallet({ wallet: 'page', method: 'eth_accounts', params: [] })).rejects.toMatchObject({
    code: 'method_not_found',
    message: 'The page does not support eth_accounts',
  })
})
