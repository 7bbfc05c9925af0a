/**
 * MoonPay, with one folder per host below `/moonpay/`: the payment page, which requires a signed address, and
 * the payments API.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { isOutcome, messagePage, outcomes, paymentPage } from './page.ts'
import { accounts, type Change, isStatus, type Mode, modeByKey, type Payments } from './payments.ts'

const html = 'text/html; charset=utf-8'
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const widget = /^\/moonpay\/(buy|buy-sandbox)\.moonpay\.com\/$/
const modeByHost = (host: string | undefined): Mode => (host === 'buy' ? 'live' : 'test')

/** Verifies the signature, the last query parameter, over the query before it. */
const isSigned = (search: string, secret: string): boolean => {
  const end = search.lastIndexOf('&signature=')
  if (end < 0) return false
  const last = new URLSearchParams(search.slice(end))
  if (last.size !== 1) return false
  const signature = Buffer.from(last.get('signature') ?? '', 'base64')
  const expected = createHmac('sha256', secret).update(search.slice(0, end)).digest()
  return signature.length === expected.length && timingSafeEqual(signature, expected)
}

const parsePurchase = (mode: Mode, search: string) => {
  const query = new URLSearchParams(search)
  if (modeByKey(query.get('apiKey')) !== mode || !isSigned(search, accounts[mode].secret)) return undefined
  return {
    query: search,
    mode,
    address: query.get('walletAddress') ?? '',
    currency: query.get('currencyCode') ?? query.get('defaultCurrencyCode') ?? '',
    amount: query.get('quoteCurrencyAmount') ?? '0.02',
    colour: query.get('colorCode') ?? '',
    theme: query.get('theme') ?? '',
    reference: query.get('externalTransactionId') ?? '',
  }
}

export const moonPayRoutes = (payments: Payments, faults: FaultSwitch): readonly Route[] => {
  const show = (response: ServerResponse, content: string, status = 200) =>
    send(response, { status, type: html, content, headers: { 'content-security-policy': policy } })

  const open: Route = {
    method: 'GET',
    path: widget,
    handle: ({ response, url, parts: [host] }) => {
      const purchase = parsePurchase(modeByHost(host), url.search)
      if (purchase === undefined)
        return show(response, messagePage('The signature of this address is wrong'), 400)
      show(response, paymentPage(purchase))
    },
  }

  const pay: Route = {
    method: 'POST',
    path: widget,
    handle: async ({ request, response, parts: [host] }) => {
      const mode = modeByHost(host)
      const form = (await readForm(request)) ?? new URLSearchParams()
      const purchase = parsePurchase(mode, form.get('query') ?? '')
      const outcome = form.get('outcome')
      if (purchase === undefined || !isOutcome(outcome))
        return show(response, messagePage('Not understood'), 400)
      const { reference, address, currency } = purchase
      await payments.change(mode, reference, {
        ...outcomes[outcome].change,
        walletAddress: address,
        currencyCode: currency,
        quoteCurrencyAmount: Number(form.get('amount')) || 0,
      })
      show(response, messagePage('Thank you. You can close this page.'))
    },
  }

  const getPayment: Route = {
    method: 'GET',
    path: /^\/moonpay\/api\.moonpay\.com\/v1\/transactions\/ext\/([^/]+)$/,
    handle: async ({ response, url, parts: [reference = ''] }) => {
      payments.countPoll()
      const fault = await faults.afterStall('moonpay')
      if (fault === 'failing') return sendJson(response, { message: 'Internal error' }, 500)
      if (fault === 'too-many-requests') return sendJson(response, { message: 'Too many requests' }, 429)
      if (fault === 'garbage') return send(response, { type: html, content: '<h1>Sorry</h1>' })
      if (fault === 'empty') return sendJson(response, [])
      const mode = modeByKey(url.searchParams.get('apiKey'))
      if (mode === undefined) return sendJson(response, { message: 'Invalid API key' }, 401)
      const payment = payments.find(mode, decodeURIComponent(reference))
      if (payment === undefined) return sendJson(response, { message: 'Not found' }, 404)
      sendJson(response, [payment])
    },
  }

  const inspect: Route = {
    method: 'GET',
    path: /^\/api\/moonpay$/,
    handle: ({ response }) => sendJson(response, { ...payments.count(), deliveries: payments.deliveries() }),
  }

  /**
   * Sets the webhook address with `{ webhookUrl }`, or repeats a webhook call with `{ deliver: <index> }`.
   */
  const control: Route = {
    method: 'POST',
    path: /^\/api\/moonpay$/,
    handle: async ({ request, response }) => {
      const command = Object((await readJson(request)) ?? {}) as {
        webhookUrl?: string | null
        deliver?: number
      }
      if (command.webhookUrl !== undefined) payments.setWebhookUrl(command.webhookUrl ?? undefined)
      const delivery = command.deliver === undefined ? undefined : payments.deliveries()[command.deliver]
      sendJson(response, { status: delivery === undefined ? null : await payments.deliver(delivery) })
    },
  }

  /** Changes a payment without the page: `{ externalTransactionId, live?, status, paymentMethod?, … }`. */
  const act: Route = {
    method: 'POST',
    path: /^\/api\/moonpay\/payments$/,
    handle: async ({ request, response }) => {
      const { externalTransactionId, live, ...change } = Object((await readJson(request)) ?? {}) as Change & {
        externalTransactionId?: string
        live?: boolean
      }
      if (typeof externalTransactionId !== 'string' || !isStatus(change.status)) {
        return sendJson(response, { error: 'Send { externalTransactionId, status }' }, 400)
      }
      sendJson(
        response,
        await payments.change(live === true ? 'live' : 'test', externalTransactionId, change),
      )
    },
  }

  return [open, pay, getPayment, inspect, control, act]
}
