/** MoonPay: https://dev.moonpay.com */

import { createHmac } from 'node:crypto'
import { LatchkeyError } from '@latchkey/protocol'
import { defaultFundingCurrency, type OnRampTransaction, onRampTransaction } from '@latchkey/protocol/api'
import * as v from 'valibot'
import { equalsInConstantTime } from '../../../kernel/keys/keys.ts'
import { fetchThirdParty } from '../../../kernel/third-party-fetch.ts'
import type { MoonPayKeys } from '../environment.ts'
import { fundingServerLimits } from '../limits.ts'
import type { FundingSession, OnRampProvider, WebhookReading } from '../provider.ts'

/**
 * Appends the signature over the query string, including the question mark, as the last parameter.
 * https://dev.moonpay.com/docs/on-ramp-enhance-security-using-signed-urls
 */
function signedAddress(address: string, fields: readonly (readonly [string, string])[], secret: string) {
  const url = new URL(address)
  for (const [name, value] of fields) url.searchParams.append(name, value)
  const signature = createHmac('sha256', secret).update(url.search).digest('base64')
  url.searchParams.append('signature', signature)
  return url.href
}

const header = /^t=([0-9]{1,13}),s=([0-9a-f]{64})$/

/**
 * Verifies `Moonpay-Signature-V2: t=<seconds>,s=<hex>` over time, period and raw body. Rejects old ones as possible
 * replays. https://dev.moonpay.com/api-reference/widget/webhooks/signature
 */
function isSignedByMoonPay(
  value: string | null,
  { body, key, nowMs }: { body: string; key: string; nowMs: number },
): boolean {
  const [, at = '', signature = ''] = header.exec(value?.replaceAll(' ', '') ?? '') ?? []
  if (signature === '') return false
  if (Math.abs(nowMs / 1_000 - Number(at)) > fundingServerLimits.webhookToleranceSeconds) return false
  const expected = createHmac('sha256', key).update(`${at}.${body}`).digest()
  return equalsInConstantTime(expected, Buffer.from(signature, 'hex'))
}

/** The payment statuses of MoonPay. https://dev.moonpay.com/reference/get_v1-transactions-ext-transactionid */
type Status = OnRampTransaction['status']

const statuses: Readonly<Record<string, Status>> = {
  completed: 'completed',
  failed: 'failed',
  waitingAuthorization: 'waitingAuthorization',
  awaitingAuthorization: 'awaitingAuthorization',
  pending: 'pending',
}
/** Converts a status. Unknown statuses count as pending. */
const toStatus = (said: string): Status =>
  (Object.hasOwn(statuses, said) ? statuses[said] : undefined) ?? 'pending'

const moonPayTransaction = v.pipe(
  v.object({
    ...v.omit(onRampTransaction, ['status', 'currency']).entries,
    status: v.string(),
    currency: v.optional(v.nullable(v.object({ code: v.string() }))),
  }),
  v.transform(
    ({ status, currency, ...rest }): OnRampTransaction => ({
      ...rest,
      status: toStatus(status),
      ...(currency && { currency: { code: currency.code } }),
    }),
  ),
  onRampTransaction,
)

/**
 * MoonPay's currency codes for `<coin>_<network>` of the specification: lower case, without the coin's home network.
 * https://dev.moonpay.com/docs/on-ramp-supported-cryptocurrencies
 */
const homes: readonly (readonly [ours: string, theirs: string])[] = [
  ['eth_ethereum', 'eth'],
  ['usdc_ethereum', 'usdc'],
  ['usdt_ethereum', 'usdt'],
  ['dai_ethereum', 'dai'],
  ['celo_celo', 'celo'],
  ['sol_solana', 'sol'],
  ['usdc_solana', 'usdc_sol'],
  ['bnb_bnb', 'bnb_bsc'],
  ['matic_polygon', 'pol_polygon'],
]
const moonPayCodes = new Map(homes)

function moonPayCurrency(code: string): string {
  const written = code.toLowerCase()
  return moonPayCodes.get(written) ?? written
}

export type MoonPayAccount = {
  live: MoonPayKeys | undefined
  test: MoonPayKeys | undefined
  /** A server with one folder per MoonPay host. */
  hostsUrl?: string | undefined
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
  const getKeys = (isTest: boolean) => (isTest ? test : live)
  const toAddress = (host: string) => (hostsUrl === undefined ? `https://${host}` : `${hostsUrl}/${host}`)

  const getPageAddress = (isTest: boolean) =>
    `${toAddress(isTest ? 'buy-sandbox.moonpay.com' : 'buy.moonpay.com')}/`

  function requireKeys(isTest: boolean): MoonPayKeys {
    const keys = getKeys(isTest)
    if (keys) return keys
    throw new LatchkeyError(
      'not_supported',
      `The operator has no keys of MoonPay for ${isTest ? 'tests' : 'payments'}`,
    )
  }

  return {
    id: 'moonpay',
    pageAt: (isTest) => getKeys(isTest) && getPageAddress(isTest),

    createSession(session) {
      const { publishable, secret } = requireKeys(session.isTest)
      const fields: (readonly [string, string])[] = [['apiKey', publishable], ...toFields(session)]
      return { url: signedAddress(getPageAddress(session.isTest), fields, secret) }
    },

    async status({ reference, isTest }, signal) {
      const { publishable } = requireKeys(isTest)
      const query = new URLSearchParams({ apiKey: publishable })
      const url = `${toAddress('api.moonpay.com')}/v1/transactions/ext/${encodeURIComponent(reference)}?${query}`
      const response = await fetchThirdParty(url, {
        party: 'moonpay',
        headers: { accept: 'application/json' },
        deadlineMs: fundingServerLimits.statusDeadlineMs,
        signal,
      }).catch((cause: unknown) => {
        throw noAnswer(cause)
      })
      if (response.status === 404) return undefined
      const transactions = v.safeParse(answerSchema, await response.json().catch(() => undefined))
      if (!response.ok || !transactions.success) throw noAnswer(`status ${response.status}`)
      return transactions.output[0]
    },

    parseWebhook(headers, body, nowMs): WebhookReading {
      const signature = headers.get('moonpay-signature-v2')
      const isSignedBy = (keys: MoonPayKeys | undefined) =>
        keys?.webhook !== undefined && isSignedByMoonPay(signature, { body, key: keys.webhook, nowMs })
      const isTest = isSignedBy(test)
      if (!isTest && !isSignedBy(live)) return { type: 'unsigned' }
      const json = parsed(body)
      const about = v.safeParse(noticeSchema, json)
      const parsedNotice = v.safeParse(noticed, json)
      if (!about.success || !parsedNotice.success) return { type: 'other' }
      const { externalTransactionId: reference, updatedAt } = about.output.data
      const atMs = withinNow(updatedAt, nowMs)
      return { type: 'notice', notice: { reference, isTest, atMs, transaction: parsedNotice.output.data } }
    },
  }
}

/** Clamps a date to now. Only a newer notice replaces an older one, so a future date would block all later ones. */
const withinNow = (atMs: number, nowMs: number) =>
  atMs > nowMs + fundingServerLimits.noticeSkewSeconds * 1_000 ? nowMs : atMs

/** https://dev.moonpay.com/docs/ramps-sdk-buy-params */
function toFields({ address, reference, config }: FundingSession): readonly (readonly [string, string])[] {
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
  new LatchkeyError('unavailable', 'The provider did not return the status of the payment', { cause })

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
