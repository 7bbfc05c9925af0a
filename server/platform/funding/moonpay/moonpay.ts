/** MoonPay: https://dev.moonpay.com */
import { LatchkeyError } from '@latchkey/protocol'
import { defaultFundingCurrency } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { askOutside } from '../../../kernel/outside.ts'
import type { MoonPayKeys } from '../environment.ts'
import { fundingServerLimits } from '../limits.ts'
import type { FundingSession, OnRampProvider, WebhookReading } from '../provider.ts'
import { moonPayCurrency } from './currencies.ts'
import { isSignedByMoonPay, signedAddress } from './signature.ts'
import { moonPayTransaction } from './transaction.ts'

export type MoonPayAccount = {
  readonly live: MoonPayKeys | undefined
  readonly test: MoonPayKeys | undefined
  /** Where every host of MoonPay is a folder. */
  readonly hostsUrl?: string | undefined
}

const answerSchema = v.array(moonPayTransaction)
const noticeSchema = v.object({
  type: v.picklist(['transaction_created', 'transaction_updated', 'transaction_failed']),
  data: v.object({
    externalTransactionId: v.string(),
    updatedAt: v.pipe(
      v.string(),
      v.transform((written) => Date.parse(written)),
      v.safeInteger(),
    ),
  }),
})
const noticed = v.object({ data: moonPayTransaction })

export function createMoonPay({ live, test, hostsUrl }: MoonPayAccount): OnRampProvider {
  const keysOf = (isTest: boolean) => (isTest ? test : live)
  const addressOf = (host: string) => (hostsUrl === undefined ? `https://${host}` : `${hostsUrl}/${host}`)

  const pageOf = (isTest: boolean) => `${addressOf(isTest ? 'buy-sandbox.moonpay.com' : 'buy.moonpay.com')}/`

  function requireKeys(isTest: boolean): MoonPayKeys {
    const keys = keysOf(isTest)
    if (keys) return keys
    throw new LatchkeyError(
      'not_supported',
      `The operator has no keys of MoonPay for ${isTest ? 'tests' : 'payments'}`,
    )
  }

  return {
    id: 'moonpay',
    pageAt: (isTest) => keysOf(isTest) && pageOf(isTest),

    createSession(session) {
      const { publishable, secret } = requireKeys(session.isTest)
      const fields: (readonly [string, string])[] = [['apiKey', publishable], ...fieldsOf(session)]
      return { url: signedAddress(pageOf(session.isTest), fields, secret) }
    },

    async status({ reference, isTest }, signal) {
      const { publishable } = requireKeys(isTest)
      const query = new URLSearchParams({ apiKey: publishable })
      const url = `${addressOf('api.moonpay.com')}/v1/transactions/ext/${encodeURIComponent(reference)}?${query}`
      const response = await askOutside(url, {
        headers: { accept: 'application/json' },
        deadlineMs: fundingServerLimits.statusDeadlineMs,
        signal,
      }).catch((cause: unknown) => {
        throw noAnswer(cause)
      })
      if (response.status === 404) return undefined
      const found = v.safeParse(answerSchema, await response.json().catch(() => undefined))
      if (!response.ok || !found.success) throw noAnswer(`status ${response.status}`)
      return found.output[0]
    },

    parseWebhook(headers, body, nowMs): WebhookReading {
      const signature = headers.get('moonpay-signature-v2')
      const isSignedBy = (keys: MoonPayKeys | undefined) =>
        keys?.webhook !== undefined && isSignedByMoonPay(signature, { body, key: keys.webhook, nowMs })
      const isTest = isSignedBy(test)
      if (!isTest && !isSignedBy(live)) return { type: 'unsigned' }
      const json = parsed(body)
      const about = v.safeParse(noticeSchema, json)
      const said = v.safeParse(noticed, json)
      if (!about.success || !said.success) return { type: 'other' }
      const { externalTransactionId: reference, updatedAt: atMs } = about.output.data
      return { type: 'notice', notice: { reference, isTest, atMs, transaction: said.output.data } }
    },
  }
}

/** https://dev.moonpay.com/docs/ramps-sdk-buy-params */
function fieldsOf({ address, reference, config }: FundingSession): readonly (readonly [string, string])[] {
  const { currencyCode, defaultCurrencyCode, quoteCurrencyAmount, paymentMethod, accentColor, theme } = config
  const currency =
    currencyCode === undefined
      ? (['defaultCurrencyCode', moonPayCurrency(defaultCurrencyCode ?? defaultFundingCurrency)] as const)
      : (['currencyCode', moonPayCurrency(currencyCode)] as const)
  const perhaps = (
    name: string,
    value: string | number | undefined,
  ): readonly (readonly [string, string])[] => (value === undefined ? [] : [[name, String(value)]])
  return [
    currency,
    ['walletAddress', address],
    ['externalTransactionId', reference],
    ...perhaps('quoteCurrencyAmount', quoteCurrencyAmount),
    ...perhaps('paymentMethod', paymentMethod),
    ...perhaps('colorCode', accentColor),
    ...perhaps('theme', theme),
  ]
}

const noAnswer = (cause: unknown) =>
  new LatchkeyError('unavailable', 'The provider did not say what became of the payment', { cause })

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
