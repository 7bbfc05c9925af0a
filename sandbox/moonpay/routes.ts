/**
 * MoonPay, with each of its hosts as a folder below `/moonpay/`: the page at which a person pays, which takes an
 * address only with its signature, and the payment as its API tells it.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import type { FaultSwitch } from '../faults.ts'
import { type Route, readForm, readJson, send, sendJson } from '../http.ts'
import { isOutcome, outcomes, payingPage, saidPage } from './page.ts'
import { accounts, type Change, isStatus, type Mode, modeOfKey, type Payments } from './payments.ts'

const html = 'text/html; charset=utf-8'
const policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none'"
const widget = /^\/moonpay\/(buy|buy-sandbox)\.moonpay\.com\/$/
const modeOfHost = (host: string | undefined): Mode => (host === 'buy' ? 'live' : 'test')

/** The signature is the last of the query, over all that stands before it. */
const isSigned = (search: string, secret: string): boolean => {
  const end = search.lastIndexOf('&signature=')
  if (end < 0) return false
  const last = new URLSearchParams(search.slice(end))
  if (last.size !== 1) return false
  const given = Buffer.from(last.get('signature') ?? '', 'base64')
  const made = createHmac('sha256', secret).update(search.slice(0, end)).digest()
  return given.length === made.length && timingSafeEqual(given, made)
}

const askedIn = (mode: Mode, search: string) => {
  const query = new URLSearchParams(search)
  if (modeOfKey(query.get('apiKey')) !== mode || !isSigned(search, accounts[mode].secret)) return undefined
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
      const asked = askedIn(modeOfHost(host), url.search)
      if (asked === undefined) return show(response, saidPage('The signature of this address is wrong'), 400)
      show(response, payingPage(asked))
    },
  }

  const pay: Route = {
    method: 'POST',
    path: widget,
    handle: async ({ request, response, parts: [host] }) => {
      const mode = modeOfHost(host)
      const form = (await readForm(request)) ?? new URLSearchParams()
      const asked = askedIn(mode, form.get('query') ?? '')
      const outcome = form.get('outcome')
      if (asked === undefined || !isOutcome(outcome)) return show(response, saidPage('Not understood'), 400)
      const { reference, address, currency } = asked
      await payments.change(mode, reference, {
        ...outcomes[outcome].change,
        walletAddress: address,
        currencyCode: currency,
        quoteCurrencyAmount: Number(form.get('amount')) || 0,
      })
      show(response, saidPage('Thank you. You can close this page.'))
    },
  }

  const look: Route = {
    method: 'GET',
    path: /^\/moonpay\/api\.moonpay\.com\/v1\/transactions\/ext\/([^/]+)$/,
    handle: async ({ response, url, parts: [reference = ''] }) => {
      payments.countLook()
      const fault = await faults.passed('moonpay')
      if (fault === 'failing') return sendJson(response, { message: 'Internal error' }, 500)
      if (fault === 'too-many-requests') return sendJson(response, { message: 'Too many requests' }, 429)
      if (fault === 'garbage') return send(response, { type: html, content: '<h1>Sorry</h1>' })
      if (fault === 'empty') return sendJson(response, [])
      const mode = modeOfKey(url.searchParams.get('apiKey'))
      if (mode === undefined) return sendJson(response, { message: 'Invalid API key' }, 401)
      const found = payments.find(mode, decodeURIComponent(reference))
      if (found === undefined) return sendJson(response, { message: 'Not found' }, 404)
      sendJson(response, [found])
    },
  }

  const state: Route = {
    method: 'GET',
    path: /^\/api\/moonpay$/,
    handle: ({ response }) => sendJson(response, { ...payments.count(), deliveries: payments.deliveries() }),
  }

  /** `{ webhookUrl }` says who is told from now on; `{ deliver: <its place> }` sends what was sent before once more. */
  const tell: Route = {
    method: 'POST',
    path: /^\/api\/moonpay$/,
    handle: async ({ request, response }) => {
      const asked = Object((await readJson(request)) ?? {}) as {
        webhookUrl?: string | null
        deliver?: number
      }
      if (asked.webhookUrl !== undefined) payments.tellAt(asked.webhookUrl ?? undefined)
      const again = asked.deliver === undefined ? undefined : payments.deliveries()[asked.deliver]
      sendJson(response, { status: again === undefined ? null : await payments.deliver(again) })
    },
  }

  /** Does what a person does on the page: `{ externalTransactionId, live?, status, paymentMethod?, … }`. */
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

  return [open, pay, look, state, tell, act]
}
