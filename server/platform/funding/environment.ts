import * as v from 'valibot'
import { environmentPart } from '../../kernel/environment.ts'

/** The MoonPay keys for live or test payments. */
export type MoonPayKeys = {
  /** The public key in the widget URL. */
  publishable: string
  secret: string
  /** The webhook signing key, or undefined without a webhook. */
  webhook: string | undefined
}

const keys = (kind: 'live' | 'test') => {
  const pattern = new RegExp(`^(pk_${kind}_\\w+):(sk_${kind}_\\w+)(?::([^\\s:]+))?$`)
  const form = `must be pk_${kind}_…:sk_${kind}_…, perhaps with :<webhook key>`
  return v.optional(
    v.pipe(
      v.string(),
      v.regex(pattern, form),
      v.transform((value): MoonPayKeys => {
        const [, publishable = '', secret = '', webhook] = pattern.exec(value) ?? []
        return { publishable, secret, webhook }
      }),
    ),
  )
}

/** Whether the URL uses https or a local host. */
const isLocalOrSafe = (value: string) =>
  /^(https:\/\/|http:\/\/(127\.0\.0\.1|localhost|[a-z0-9-]+\.localhost)[:/])/.test(`${value}/`)

const faucetForm = 'must be <chain id>=<address>, separated by spaces: 11155111=https://faucet.example'
const faucetEntry = /^([1-9][0-9]{0,14})=(https?:\/\/\S+)$/
const faucets = v.pipe(
  v.string(),
  v.transform((value) => value.split(/\s+/).filter((part) => part !== '')),
  v.check(
    (entries) =>
      entries.every((entry) => {
        const [, , address = ''] = faucetEntry.exec(entry) ?? []
        return URL.canParse(address) && isLocalOrSafe(address)
      }),
    faucetForm,
  ),
  v.transform(
    (entries): ReadonlyMap<number, string> =>
      new Map(
        entries.map((entry) => {
          const [, chainId = '', address = ''] = faucetEntry.exec(entry) ?? []
          return [Number(chainId), address]
        }),
      ),
  ),
)

export const fundingEnvironment = environmentPart(
  {
    MOONPAY_LIVE: keys('live'),
    MOONPAY_SANDBOX: keys('test'),
    /** A server with one folder per MoonPay host, for tests. Defaults to MoonPay itself. */
    MOONPAY_HOSTS_URL: v.optional(
      v.pipe(
        v.string(),
        v.regex(/^https?:\/\/\S+[^/\s]$/, 'must be an http address without a slash at its end'),
        v.check(isLocalOrSafe, 'must be https, except on this machine'),
      ),
    ),
    /** The faucets of test networks. */
    FAUCET_URLS: v.optional(faucets, ''),
  },
  {
    MOONPAY_LIVE: {
      meaning:
        'The keys of MoonPay for payments by card: `<publishable key>:<secret key>`, optionally with `:<webhook key>`.',
      isSecret: true,
    },
    MOONPAY_SANDBOX: { meaning: "The same keys for MoonPay's test mode.", isSecret: true },
    MOONPAY_HOSTS_URL: 'A stand-in for tests that has every host of MoonPay as a folder.',
    FAUCET_URLS: 'The faucets of test networks: `<chain id>=<address>`, separated by spaces.',
  },
)
